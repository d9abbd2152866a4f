"""Scaled dot-product and multi-head attention (Vaswani et al. 2017).

Sections 3.2.1 and 3.2.2. The file can be lifted out: it imports Keras and TensorFlow only.
"""

from typing import Any

import keras
import tensorflow as tf

# Added to a masked score: exp() of it is 0 in float32, and a whole row of it is not NaN.
BLOCKED = -1e9


def scaled_dot_product_attention(
    q: tf.Tensor,
    k: tf.Tensor,
    v: tf.Tensor,
    mask: tf.Tensor | None = None,
    bias: tf.Tensor | None = None,
) -> tuple[tf.Tensor, tf.Tensor]:
    """Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V (equation 1).

    Args:
        q: queries, (..., len_q, depth).
        k: keys, (..., len_k, depth).
        v: values, (..., len_k, depth_v).
        mask: 1 where a key is blocked, broadcastable to (..., len_q, len_k).
        bias: added to Q K^T, of that shape; the original has none.

    Returns:
        output: (..., len_q, depth_v).
        attention_weights: (..., len_q, len_k), float32; each row sums to 1.

    Example:
        >>> keys = tf.constant([[10.0, 0.0], [0.0, 10.0]])
        >>> values = tf.constant([[1.0], [2.0]])
        >>> output, weights = scaled_dot_product_attention(tf.constant([[0.0, 10.0]]), keys, values)
        >>> print(weights.numpy().round(2), output.numpy())
        [[0. 1.]] [[2.]]
    """
    matmul_qk = tf.matmul(q, k, transpose_b=True)  # (..., len_q, len_k)
    if bias is not None:
        matmul_qk += bias
    matmul_qk = tf.cast(matmul_qk, tf.float32)  # 16-bit floats cannot hold -1e9, nor sum to 1
    dk = tf.cast(tf.shape(k)[-1], tf.float32)
    scaled_attention_logits = matmul_qk / tf.sqrt(dk)
    if mask is not None:
        scaled_attention_logits += tf.cast(mask, tf.float32) * BLOCKED
    attention_weights = tf.nn.softmax(scaled_attention_logits, axis=-1)  # (..., len_q, len_k)
    output = tf.matmul(tf.cast(attention_weights, v.dtype), v)  # (..., len_q, depth_v)
    return output, attention_weights


def rows_of(x: tf.Tensor) -> tf.Tensor:
    """Rows of tokens, (batch * len, width), of x (batch, len, width).

    A Dense layer multiplies them by its kernel in one product; of three axes Keras makes a
    tensordot of a dozen operations, which decoding would feel.
    """
    return tf.reshape(x, (-1, x.shape[-1]))


@keras.saving.register_keras_serializable(package="tf_models")
class MultiHeadAttention(keras.layers.Layer):
    """MultiHead(Q, K, V) = Concat(head_1, …, head_h) W^O.

    Every head has its own projections. Call it with `(v, k, q, mask)`, as the tutorial does.

    Raises:
        ValueError: num_heads does not divide d_model; in a call, a mask has three axes.

    Example:
        >>> mha = MultiHeadAttention(d_model=512, num_heads=8)
        >>> x = tf.random.uniform((1, 9, 512))
        >>> output, weights = mha(x, x, x, None)
        >>> print(output.shape, weights.shape)
        (1, 9, 512) (1, 8, 9, 9)
    """

    def __init__(self, d_model: int, num_heads: int, **kwargs: Any):
        super().__init__(**kwargs)
        if num_heads < 1 or d_model % num_heads:
            raise ValueError(
                f"num_heads must divide d_model; received d_model={d_model}, num_heads={num_heads}"
            )
        self.d_model = d_model
        self.num_heads = num_heads
        self.depth = d_model // num_heads
        self.wq = self._projection("wq", num_heads)
        self.wk = self._projection("wk", self.num_kv_heads)
        self.wv = self._projection("wv", self.num_kv_heads)
        self.dense = self._projection("dense", num_heads)

    def _projection(self, name: str, heads: int) -> keras.layers.Dense:
        return keras.layers.Dense(heads * self.depth, dtype=self.dtype_policy, name=name)

    @property
    def num_kv_heads(self) -> int:
        """Number of key and value heads; a variant may have fewer than num_heads."""
        return self.num_heads

    def build(
        self,
        v_shape: tuple | None = None,
        k_shape: tuple | None = None,
        q_shape: tuple | None = None,
    ) -> None:
        """Build for inputs (batch, len, width); the default width is d_model."""
        for projection, shape in ((self.wq, q_shape), (self.wk, k_shape), (self.wv, v_shape)):
            projection.build(shape or (None, None, self.d_model))
        self.dense.build((None, None, self.d_model))

    def split_heads(self, x: tf.Tensor, batch_size: tf.Tensor | int) -> tf.Tensor:
        """Split the last axis into heads: (batch, num_heads, len, depth)."""
        # (batch, len, heads, depth)
        x = tf.reshape(x, (batch_size, -1, x.shape[-1] // self.depth, self.depth))
        return tf.transpose(x, perm=[0, 2, 1, 3])  # (batch, heads, len, depth)

    def call(
        self, v: tf.Tensor, k: tf.Tensor, q: tf.Tensor, mask: tf.Tensor | None = None
    ) -> tuple[tf.Tensor, tf.Tensor]:
        """Attend from queries to keys.

        Args:
            v: float (batch, len_k, width), of any width, from which values are projected.
            k: float (batch, len_k, width), of any width, from which keys are projected.
            q: float (batch, len_q, width), of any width, from which queries are projected.
            mask: number or boolean, 1 where a key is blocked; (len_q, len_k), or broadcastable to
                (batch, num_heads, len_q, len_k).

        Returns:
            output: (batch, len_q, d_model).
            attention_weights: (batch, num_heads, len_q, len_k), float32.
        """
        if mask is not None and len(mask.shape) == 3:
            raise ValueError(
                "a mask of three axes may be one for each head or for each sentence: give it four, "
                f"as mask[:, tf.newaxis]; received the shape {tuple(mask.shape)}"
            )
        return self.attend(*self.keys_and_values(v, k), q, mask)

    def keys_and_values(self, v: tf.Tensor, k: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """Keys and values to cache, (batch, num_kv_heads, len_k, depth) each."""
        batch_size = tf.shape(k)[0]
        keys = self.split_heads(self.wk(rows_of(k)), batch_size)
        values = self.split_heads(self.wv(rows_of(v)), batch_size)
        return keys, values

    def attend(
        self, keys: tf.Tensor, values: tf.Tensor, q: tf.Tensor, mask: tf.Tensor | None = None
    ) -> tuple[tf.Tensor, tf.Tensor]:
        """A call with the result of `keys_and_values` in place of v and k.

        q is (batch, len_q, width), or its rows: the output has as many axes.
        """
        batch_size = tf.shape(keys)[0]
        heads = self.split_heads(self.wq(rows_of(q)), batch_size)  # (batch, heads, len_q, depth)
        attended, attention_weights = self.dot_product_attention(heads, keys, values, mask)
        attended = tf.transpose(attended, perm=[0, 2, 1, 3])  # (batch, len_q, heads, depth)
        concat_attention = tf.reshape(attended, (-1, self.d_model))  # (batch * len_q, d_model)
        output = self.dense(concat_attention)
        if q.shape.rank == 3:
            output = tf.reshape(output, (batch_size, q.shape[1] or -1, self.d_model))
        return output, attention_weights

    def dot_product_attention(
        self, q: tf.Tensor, k: tf.Tensor, v: tf.Tensor, mask: tf.Tensor | None
    ) -> tuple[tf.Tensor, tf.Tensor]:
        """Equation 1 for all heads, for a variant to replace.

        q is (batch, num_heads, len_q, depth), k and v (batch, num_kv_heads, len_k, depth). In
        decoding step by step the queries are those of the last tokens.
        """
        return scaled_dot_product_attention(q, k, v, mask)

    def compute_output_shape(
        self, v_shape: tuple, k_shape: tuple, q_shape: tuple
    ) -> tuple[tuple, tuple]:
        """Shapes of output and weights."""
        batch, len_q = q_shape[:2]
        return (batch, len_q, self.d_model), (batch, self.num_heads, len_q, k_shape[1])

    def compute_mask(self, inputs: Any, previous_mask: Any = None) -> None:
        """Return None, or Keras would propagate `mask` as one of its own."""

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "d_model": self.d_model, "num_heads": self.num_heads}
