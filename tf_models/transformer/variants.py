"""Attention variants after Vaswani et al. (2017), by name.

`Transformer(attention=…)` takes the names; notebooks/12_what_came_after.py compares them.
"""

from typing import Any

import numpy as np
import tensorflow as tf

from tf_models.errors import InputError
from tf_models.transformer.attention import MultiHeadAttention, scaled_dot_product_attention
from tf_models.transformer.positions import get_angles

MAX_DISTANCE = 16  # k: farther tokens count as that far (Shaw et al. 2018, section 3.2)


class RelativeAttention(MultiHeadAttention):
    """e_ij = q_i · (k_j + a^K_ij) / sqrt(d_z), z_i = Σ_j α_ij (v_j + a^V_ij).

    (Shaw, Uszkoreit & Vaswani 2018, "Self-Attention with Relative Position Representations",
    equations 4 and 3.) The vectors a, of all heads, are those of the clipped distance j - i.
    """

    def build(
        self,
        v_shape: tuple | None = None,
        k_shape: tuple | None = None,
        q_shape: tuple | None = None,
    ) -> None:
        super().build(v_shape, k_shape, q_shape)
        shape = (2 * MAX_DISTANCE + 1, self.depth)
        self.key_table = self.add_weight(shape=shape, name="relative_key_embedding")  # w^K
        self.value_table = self.add_weight(shape=shape, name="relative_value_embedding")  # w^V

    def dot_product_attention(
        self, q: tf.Tensor, k: tf.Tensor, v: tf.Tensor, mask: tf.Tensor | None
    ) -> tuple[tf.Tensor, tf.Tensor]:
        queries, keys = query_and_key_positions(q, k)
        distances = keys[tf.newaxis] - queries[:, tf.newaxis]  # j - i, (len_q, len_k)
        rows = tf.clip_by_value(distances, -MAX_DISTANCE, MAX_DISTANCE) + MAX_DISTANCE
        a_k = tf.gather(tf.cast(self.key_table, q.dtype), rows)  # (len_q, len_k, depth)
        a_v = tf.gather(tf.cast(self.value_table, q.dtype), rows)  # (len_q, len_k, depth)
        bias = tf.einsum("bhid,ijd->bhij", q, a_k)  # the second part of equation 5
        z, weights = scaled_dot_product_attention(q, k, v, mask, bias)
        z += tf.einsum("bhij,ijd->bhid", tf.cast(weights, v.dtype), a_v)
        return z, weights


class RotaryAttention(MultiHeadAttention):
    """softmax((R_m q_m)^T (R_n k_n) / sqrt(d_k)): scores depend on n - m only.

    (Su et al. 2021, "RoFormer", equation 16; see `rotate`.)

    Raises:
        InputError: heads have an odd number of dimensions.
    """

    def __init__(self, d_model: int, num_heads: int, **kwargs: Any):
        super().__init__(d_model, num_heads, **kwargs)
        if self.depth % 2:
            raise InputError(
                "rotary positions turn pairs of numbers: d_model / num_heads must be even; "
                f"received d_model={d_model}, num_heads={num_heads}"
            )

    def dot_product_attention(
        self, q: tf.Tensor, k: tf.Tensor, v: tf.Tensor, mask: tf.Tensor | None
    ) -> tuple[tf.Tensor, tf.Tensor]:
        queries, keys = query_and_key_positions(q, k)  # keys are cached as they are, not turned
        return scaled_dot_product_attention(rotate(q, queries), rotate(k, keys), v, mask)


def rotate(x: tf.Tensor, positions: tf.Tensor) -> tf.Tensor:
    """R_m x: rotate each pair of numbers at position m by the angle m theta_i.

    theta_i = 10000^(-2(i-1)/d) (Su et al. 2021, equation 15), computed as in equation 34:
    x ⊗ cos(m theta) + (-x_2, x_1, -x_4, x_3, …) ⊗ sin(m theta).
    x is (..., len, depth), positions (len,).

    Example:
        >>> print(rotate(tf.constant([[1.0, 0.0]]), tf.constant([1])).numpy().round(2))
        [[0.54 0.84]]
    """
    depth = x.shape[-1]
    theta = get_angles(np.ones(1), np.arange(depth), depth)  # (depth,), each angle twice
    angles = tf.cast(positions, tf.float32)[:, tf.newaxis] * theta.astype(np.float32)
    turned = tf.stack([-x[..., 1::2], x[..., 0::2]], axis=-1)  # (..., len, depth / 2, 2)
    turned = tf.reshape(turned, tf.shape(x))  # (..., len, depth)
    return x * tf.cast(tf.cos(angles), x.dtype) + turned * tf.cast(tf.sin(angles), x.dtype)


class GroupedQueryAttention(MultiHeadAttention):
    """Attention in which groups of query heads share one key and value head.

    Decoding then reads a smaller cache (Ainslie et al. 2023, "GQA", section 2.2, figure 2). With
    `num_kv_heads=1` it is multi-query attention (Shazeer 2019, "Fast Transformer Decoding: One
    Write-Head is All You Need", section 3).

    Raises:
        InputError: num_kv_heads, of keys and values, does not divide num_heads, of queries.
    """

    num_kv_heads = 2  # an attribute in place of the property

    def __init__(self, d_model: int, num_heads: int, num_kv_heads: int = 2, **kwargs: Any):
        if num_kv_heads < 1 or num_heads % num_kv_heads:
            raise InputError(
                "num_kv_heads, of keys and values, must divide num_heads; "
                f"received num_kv_heads={num_kv_heads}, num_heads={num_heads}"
            )
        self.num_kv_heads = num_kv_heads
        super().__init__(d_model, num_heads, **kwargs)

    def dot_product_attention(
        self, q: tf.Tensor, k: tf.Tensor, v: tf.Tensor, mask: tf.Tensor | None
    ) -> tuple[tf.Tensor, tf.Tensor]:
        group = self.num_heads // self.num_kv_heads
        k, v = tf.repeat(k, group, axis=1), tf.repeat(v, group, axis=1)  # (batch, num_heads, …)
        return scaled_dot_product_attention(q, k, v, mask)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "num_kv_heads": self.num_kv_heads}


def query_and_key_positions(q: tf.Tensor, k: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Positions (len_q,) and (len_k,); queries belong to the newest tokens."""
    keys = tf.range(tf.shape(k)[2])
    return keys[tf.shape(k)[2] - tf.shape(q)[2] :], keys


ATTENTIONS = {
    "dot_product": MultiHeadAttention,
    "relative": RelativeAttention,
    "rotary": RotaryAttention,
    "grouped_query": GroupedQueryAttention,
}
"""The classes by the names that `attention=` takes."""
