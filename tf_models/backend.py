"""Configuration of Keras: TensorFlow, float32, channels last.

Folders of models import it before anything else. It changes a setting of Keras, for the whole
process, only where keras.json or the program has another one, and warns.
"""

import warnings

from tf_models.quiet import quiet_start

__all__ = ["keras", "tf"]

with quiet_start():
    import keras
    import tensorflow as tf

if keras.config.backend() != "tensorflow":
    raise ImportError(
        f"tf_models needs Keras with TensorFlow, and it was imported with {keras.config.backend()} "
        "before; import tf_models first, or set KERAS_BACKEND=tensorflow"
    )
floatx, image_data_format = keras.config.floatx(), keras.config.image_data_format()
if (floatx, image_data_format) != ("float32", "channels_last"):
    keras.config.set_floatx("float32")
    keras.config.set_image_data_format("channels_last")
    warnings.warn(
        "tf_models set Keras to float32 and channels_last, for the whole process; it was "
        f"{floatx} and {image_data_format}",
        stacklevel=2,
    )
