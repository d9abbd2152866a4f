"""Spectral regularisation (Vahdat & Kautz 2020, section 3.3; Yoshida & Miyato 2017)."""

import keras
import tensorflow as tf


@keras.saving.register_keras_serializable(package="tf_models")
class SpectralNorms(keras.layers.Layer):
    """Sum of the largest singular values of some kernels.

    Each is found by power iteration, one step a call in training, from where the last call
    stood: kernels move slowly. The sum has a gradient by the kernels.

    Call it with the kernels, (…, inputs, outputs) each; it returns a scalar.
    """

    def build_for(self, kernels: list[keras.Variable]) -> None:
        """Make a vector for each kernel."""
        self.vectors = [
            self.add_weight(
                name=f"vector{i}",
                shape=(kernel.shape[-1], 1),
                initializer=keras.initializers.RandomNormal(seed=i),
                trainable=False,
            )
            for i, kernel in enumerate(kernels)
        ]
        self.built = True

    def call(self, kernels, training=False):
        norms = []
        for kernel, vector in zip(kernels, self.vectors, strict=True):
            matrix = tf.reshape(kernel, (-1, kernel.shape[-1]))  # (inputs, outputs)
            fixed = tf.stop_gradient(matrix)
            left = tf.math.l2_normalize(tf.matmul(fixed, vector.value))  # (inputs, 1)
            right = tf.math.l2_normalize(tf.matmul(fixed, left, transpose_a=True))  # (outputs, 1)
            if training:
                vector.assign(right)
            norms.append(tf.reduce_sum(left * tf.matmul(matrix, right)))
        return tf.add_n(norms)
