"""Configuration of Keras: TensorFlow, float32, channels last.

It overrides keras.json. Folders of models import it before anything else.
"""

import keras

if keras.config.backend() != "tensorflow":
    raise ImportError(
        f"tf_models needs Keras with TensorFlow, and it was imported with {keras.config.backend()} "
        "before; import tf_models first, or set KERAS_BACKEND=tensorflow"
    )
keras.config.set_floatx("float32")
keras.config.set_image_data_format("channels_last")
