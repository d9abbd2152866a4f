"""Spectral regularisation (Vahdat & Kautz 2020, section 3.2; Yoshida & Miyato 2017)."""

import keras
import tensorflow as tf


@keras.saving.register_keras_serializable(package="tf_models")
class SpectralNorms(keras.layers.Layer):
    """Sum of the largest singular values of some kernels, as matrices.

    A convolution's is (height * width * inputs, outputs), a depthwise one's (height * width,
    channels), as the authors' own code has it. Each norm is found by power iteration, one step a
    call in training, from where the last call stood: kernels move slowly. The sum has a gradient by
    the kernels.

    Call it with the kernels, (height, width, inputs, outputs) each; it returns a scalar.
    """

    def build_for(self, kernels: list[keras.Variable]) -> None:
        """Make a vector for each kernel."""
        self.columns = [
            kernel.shape[2] if "depthwise" in kernel.path else kernel.shape[3] for kernel in kernels
        ]
        self.vectors = [
            self.add_weight(
                name=f"vector{i}",
                shape=(columns, 1),
                initializer=keras.initializers.RandomNormal(seed=i),
                trainable=False,
            )
            for i, columns in enumerate(self.columns)
        ]
        self.built = True

    def call(self, kernels, training=False):
        norms = []
        for kernel, vector, columns in zip(kernels, self.vectors, self.columns, strict=True):
            matrix = tf.reshape(kernel, (-1, columns))  # (inputs, outputs)
            fixed = tf.stop_gradient(matrix)
            left = tf.math.l2_normalize(tf.matmul(fixed, vector.value))  # (inputs, 1)
            right = tf.math.l2_normalize(tf.matmul(fixed, left, transpose_a=True))  # (outputs, 1)
            if training:
                vector.assign(right)
            norms.append(tf.reduce_sum(left * tf.matmul(matrix, right)))
        return tf.add_n(norms)
