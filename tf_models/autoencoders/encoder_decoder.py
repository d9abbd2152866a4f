"""How models that are made of an encoder and a decoder go into a file and come back."""

import keras

PARTS = ("encoder", "decoder")


class EncoderDecoderConfig:
    """Mixin of Keras models whose first two arguments are `encoder` and `decoder`."""

    def get_config(self):
        parts = {name: keras.saving.serialize_keras_object(getattr(self, name)) for name in PARTS}
        return {**super().get_config(), **parts}

    @classmethod
    def from_config(cls, config):
        parts = {name: keras.saving.deserialize_keras_object(config[name]) for name in PARTS}
        return cls(**{**config, **parts})
