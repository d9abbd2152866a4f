"""Additive attention (Bahdanau et al. 2015)."""

from typing import Any

import keras
import tensorflow as tf


@keras.saving.register_keras_serializable(package="tf_models.recurrent")
class BahdanauAttention(keras.layers.Layer):
    """Additive attention of a decoder's state to annotations.

        e_ij = V tanh(W1 s_(i-1) + W2 h_j),  alpha_ij = softmax over j,  c_i = sum_j alpha_ij h_j

    Bahdanau et al. 2015, "Neural machine translation by jointly learning to align and translate",
    section 3.1 and appendix A.1.2.

    `keys` and `attend` are the two halves of a call.

    Args:
        units: width of the sum in the tanh.

    Example:
        >>> state, annotations = tf.zeros((64, 256)), tf.random.uniform((64, 41, 512))
        >>> context, weights = BahdanauAttention(units=128)(state, annotations)
        >>> print(context.shape, weights.shape)
        (64, 512) (64, 41)
    """

    def __init__(self, units: int, **kwargs: Any):
        super().__init__(**kwargs)
        self.units = units
        # One bias is enough for the sum, and V's changes no softmax; the tutorial has all three.
        self.W1 = keras.layers.Dense(units, name="W1")
        self.W2 = keras.layers.Dense(units, name="W2")
        self.V = keras.layers.Dense(1, name="V")

    def build(self, query_shape: tuple, values_shape: tuple, *_: Any) -> None:
        self.W1.build((None, query_shape[-1]))
        self.W2.build((None, values_shape[-1]))
        self.V.build((None, self.units))

    def call(
        self, query: tf.Tensor, values: tf.Tensor, padding_mask: tf.Tensor | None = None
    ) -> tuple[tf.Tensor, tf.Tensor]:
        """Attend from one state to the annotations of its sentence.

        Args:
            query: s_(i-1), the decoder's state before the next word: (batch, state_units), floats.
            values: h_j, the annotations: (batch, inp_len, features), floats.
            padding_mask: (batch, inp_len), any number or bool: 1 blocks a position, 0 leaves it
                free; None blocks none.

        Returns:
            the context c_i (batch, features), of the dtype of `values`, and the weights alpha_ij
            (batch, inp_len), float32, whose rows sum to one.
        """
        query = query[:, tf.newaxis]  # (batch, 1, state_units)
        context, weights = self.attend(query, self.keys(values), values, padding_mask)
        return context[:, 0], weights[:, 0]

    def keys(self, values: tf.Tensor) -> tf.Tensor:
        """W2 h_j: (batch, inp_len, features) -> (batch, inp_len, units)."""
        return self.W2(values)

    def attend(
        self, query: tf.Tensor, keys: tf.Tensor, values: tf.Tensor, padding_mask: tf.Tensor | None
    ) -> tuple[tf.Tensor, tf.Tensor]:
        """Contexts and attention weights (float32) of n states for each sentence.

        s_(i-1) (batch, n, state_units), W2 h_j (batch, inp_len, units) -> c_i (batch, n, features),
        alpha_ij (batch, n, inp_len).
        """
        sums = self.W1(query)[:, :, tf.newaxis] + keys[:, tf.newaxis]  # (batch, n, inp_len, units)
        scores = self.V(tf.tanh(sums))[..., 0]  # (batch, n, inp_len)
        scores = tf.cast(scores, tf.float32)  # 16-bit floats cannot hold -1e9, nor sum to 1
        if padding_mask is not None:
            scores += -1e9 * tf.cast(padding_mask[:, tf.newaxis], tf.float32)
        weights = tf.nn.softmax(scores)
        return tf.matmul(tf.cast(weights, values.dtype), values), weights

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "units": self.units}
