"""An output layer that reads the embedding table backwards (Press & Wolf 2017)."""

import keras
import tensorflow as tf


class TiedProjection(keras.layers.Layer):
    """Logits x E^T + b: (batch, len, d_model) -> (batch, len, vocabulary).

    Args:
        embedding: its table E is (vocabulary, d_model); somebody else saves and builds it.
    """

    def __init__(self, embedding: keras.layers.Embedding, **kwargs):
        super().__init__(**kwargs)
        self._embedding = embedding

    def build(self, x_shape=None):
        self.bias = self.add_weight(
            shape=(self._embedding.input_dim,), initializer="zeros", name="bias"
        )

    @property
    def table(self) -> keras.Variable:
        """E, (vocabulary, d_model)."""
        return self._embedding.embeddings

    def call(self, x):
        shape = tf.concat([tf.shape(x)[:-1], [self._embedding.input_dim]], axis=0)
        rows = tf.reshape(x, (-1, self._embedding.output_dim))  # (batch * len, d_model)
        logits = tf.matmul(rows, tf.cast(self.table, x.dtype), transpose_b=True)
        return tf.reshape(tf.nn.bias_add(logits, self.bias), shape)
