"""The tutorial's five classes: options by position, encoder output alone.

`tf_models.tutorial` offers them; the library's own are their bases.
"""
# mypy: allow-untyped-defs

import inspect

import keras

from tf_models.transformer import layers, model

register = keras.saving.register_keras_serializable(package="tf_models.tutorial")


class _Printed:
    """Layer with all options by position, where Keras 3 takes tensors only."""

    def __call__(self, *inputs, **options):
        names = inspect.signature(self.call).parameters
        return super().__call__(**dict(zip(names, inputs, strict=False)), **options)


class _OutputAlone(_Printed):
    """Layer that drops the attention weights."""

    def call(self, x, training=False, mask=None):
        return super().call(x, training, mask)[0]

    def compute_output_shape(self, x_shape):
        return (*x_shape[:2], self.d_model)


@register
class EncoderLayer(_OutputAlone, layers.EncoderLayer):
    """`layers.EncoderLayer` without its attention weights."""


@register
class DecoderLayer(_Printed, layers.DecoderLayer):
    """`layers.DecoderLayer` with options by position."""


@register
class Encoder(_OutputAlone, model.Encoder):
    """`model.Encoder` without its attention weights."""

    def __init__(self, num_layers, d_model, num_heads, dff, input_vocab_size, *others, **named):
        super().__init__(num_layers, d_model, num_heads, dff, input_vocab_size, *others, **named)

    @classmethod
    def from_config(cls, config):
        return cls(input_vocab_size=config.pop("vocab_size"), **config)


@register
class Decoder(_Printed, model.Decoder):
    """`model.Decoder` with options by position."""

    def __init__(self, num_layers, d_model, num_heads, dff, target_vocab_size, *others, **named):
        super().__init__(num_layers, d_model, num_heads, dff, target_vocab_size, *others, **named)

    @classmethod
    def from_config(cls, config):
        return cls(target_vocab_size=config.pop("vocab_size"), **config)


@register
class Transformer(_Printed, model.Transformer):
    """`model.Transformer` with options by position."""

    def __call__(self, *inputs, **options):
        if len(inputs) == 1:  # Keras calls it with both in one
            return model.Transformer.__call__(self, *inputs, **options)
        return super().__call__(*inputs, **options)
