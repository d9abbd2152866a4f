"""A dense layer whose product, bias and activation TensorFlow runs as one operation."""

import keras
import tensorflow as tf


@keras.saving.register_keras_serializable(package="tf_models")
class Dense(keras.layers.Dense):
    """Keras' Dense for (…, features), computed on all tokens as one matrix.

    Between the product and the bias of more axes than two Keras reshapes, which keeps TensorFlow
    from fusing them.
    """

    def call(self, inputs: tf.Tensor, training: bool | None = None) -> tf.Tensor:
        tokens = tf.reshape(inputs, (-1, inputs.shape[-1]))  # (tokens, features)
        outputs = super().call(tokens, training=training)  # (tokens, units)
        return tf.reshape(outputs, tf.concat([tf.shape(inputs)[:-1], [self.units]], axis=0))
