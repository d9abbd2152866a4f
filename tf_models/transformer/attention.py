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


@keras.saving.register_keras_serializable(package="tf_models")
class MultiHeadAttention(keras.layers.Layer):
    """MultiHead(Q, K, V) = Concat(head_1, …, head_h) W^O.

    Every head has its own projections. Call it with `(v, k, q, mask)`: v, k and q (batch, len,
    d_model), the mask 1 where a key is blocked, broadcastable to (batch, num_heads, len_q, len_k).
    It returns output (batch, len_q, d_model) and weights (batch, num_heads, len_q, len_k), float32.

    Raises:
        ValueError: num_heads does not divide d_model.

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
        self.d_model, self.num_heads, self.depth = d_model, num_heads, d_model // num_heads
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

    def build(self, *shapes: Any) -> None:
        for projection in (self.wq, self.wk, self.wv, self.dense):
            projection.build((None, None, self.d_model))

    def split_heads(self, x: tf.Tensor, batch_size: tf.Tensor | int) -> tf.Tensor:
        """Split (batch, len, d_model) into (batch, num_heads, len, depth)."""
        # (batch, len, heads, depth)
        x = tf.reshape(x, (batch_size, -1, x.shape[-1] // self.depth, self.depth))
        return tf.transpose(x, perm=[0, 2, 1, 3])  # (batch, heads, len, depth)

    def call(
        self, v: tf.Tensor, k: tf.Tensor, q: tf.Tensor, mask: tf.Tensor | None = None
    ) -> tuple[tf.Tensor, tf.Tensor]:
        if v is k and k is q:
            q, k, v = self._project_and_split(q, self.wq, self.wk, self.wv)
            return self._attend(q, k, v, mask)
        return self.attend(*self.keys_and_values(v, k), q, mask)

    def _project_and_split(self, x: tf.Tensor, *projections: keras.layers.Dense) -> list[tf.Tensor]:
        """Project x (batch, len, d_model) to (batch, num_heads, len, depth) each."""
        kernel = tf.concat([p.kernel for p in projections], axis=1)  # (d_model, n * d_model)
        bias = tf.concat([p.bias for p in projections], axis=0)
        batch, length = tf.unstack(tf.shape(x)[:2])
        x = tf.reshape(x, (-1, self.d_model))  # (batch * len, d_model)
        # Outside a Keras call, as in decoding step by step, nothing is cast by itself.
        kernel, bias = tf.cast(kernel, x.dtype), tf.cast(bias, x.dtype)
        projected = tf.nn.bias_add(tf.matmul(x, kernel), bias)
        projected = tf.reshape(
            projected, (batch, length, len(projections), self.num_heads, self.depth)
        )
        return tf.unstack(tf.transpose(projected, perm=[2, 0, 3, 1, 4]))

    def keys_and_values(self, v: tf.Tensor, k: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """Keys and values to cache, (batch, num_kv_heads, len_k, depth) each."""
        if v is k:
            return tuple(self._project_and_split(k, self.wk, self.wv))
        batch_size = tf.shape(k)[0]
        return self.split_heads(self.wk(k), batch_size), self.split_heads(self.wv(v), batch_size)

    def attend(
        self, keys: tf.Tensor, values: tf.Tensor, q: tf.Tensor, mask: tf.Tensor | None = None
    ) -> tuple[tf.Tensor, tf.Tensor]:
        """A call with the result of `keys_and_values` in place of v and k."""
        q = self.split_heads(self.wq(q), tf.shape(q)[0])  # (batch, heads, len_q, depth)
        return self._attend(q, keys, values, mask)

    def _attend(
        self, q: tf.Tensor, k: tf.Tensor, v: tf.Tensor, mask: tf.Tensor | None
    ) -> tuple[tf.Tensor, tf.Tensor]:
        scaled_attention, attention_weights = self.dot_product_attention(q, k, v, mask)
        scaled_attention = tf.transpose(scaled_attention, perm=[0, 2, 1, 3])
        concat_attention = tf.reshape(  # (batch, len_q, heads, depth) -> (batch, len_q, d_model)
            scaled_attention, (tf.shape(q)[0], -1, self.d_model)
        )
        return self.dense(concat_attention), attention_weights

    def dot_product_attention(
        self, q: tf.Tensor, k: tf.Tensor, v: tf.Tensor, mask: tf.Tensor | None
    ) -> tuple[tf.Tensor, tf.Tensor]:
        """Equation 1 for all heads, for a variant to replace.

        q is (batch, num_heads, len_q, depth), k and v (batch, num_kv_heads, len_k, depth). In
        decoding step by step the queries are those of the last tokens.
        """
        return scaled_dot_product_attention(q, k, v, mask)

    def compute_mask(self, inputs: Any, previous_mask: Any = None) -> None:
        """Return None, or Keras would propagate `mask` as one of its own."""

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "d_model": self.d_model, "num_heads": self.num_heads}
