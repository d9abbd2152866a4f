"""Fewer heads of keys and values than of queries, so that decoding reads a smaller cache.

Shazeer (2019), "Fast Transformer Decoding: One Write-Head is All You Need", keeps one (multi-query
attention); Ainslie et al. (2023), "GQA", one for each group of query heads.
"""

from typing import Any

import keras
import tensorflow as tf

from tf_models.errors import InputError
from tf_models.transformer.attention import MultiHeadAttention
from tf_models.transformer.layers import DecoderLayer
from tf_models.transformer.model import Decoder, Transformer


class GroupedQueryAttention(MultiHeadAttention):
    """`MultiHeadAttention` in which groups of query heads share one head of keys and values.

    (Ainslie et al. 2023, section 2.2, figure 2.)

    Raises:
        InputError: the heads cannot be grouped.

    Example:
        >>> mha, x = GroupedQueryAttention(d_model=64, num_heads=8), tf.ones((1, 9, 64))
        >>> print(mha(x, x, x)[1].shape, mha.keys_and_values(x, x)[0].shape)
        (1, 8, 9, 9) (1, 2, 9, 8)
    """

    key_value_heads = 2

    def __init__(self, d_model: int, num_heads: int, **kwargs: Any):
        super().__init__(d_model, num_heads, **kwargs)
        if num_heads % self.key_value_heads:
            raise InputError(
                f"num_heads must be a multiple of {self.key_value_heads} heads of keys and values; "
                f"received {num_heads}"
            )

    def _projection(self, name: str) -> keras.layers.Dense:
        if name not in ("wk", "wv"):
            return super()._projection(name)
        width = self.key_value_heads * self.depth
        return keras.layers.Dense(width, dtype=self.dtype_policy, name=name)

    def split_heads(self, x: tf.Tensor, batch_size: tf.Tensor | int) -> tf.Tensor:
        heads = x.shape[-1] // self.depth  # of queries, or of keys and values
        x = tf.reshape(x, (batch_size, -1, heads, self.depth))  # (batch, len, heads, depth)
        return tf.transpose(x, perm=[0, 2, 1, 3])  # (batch, heads, len, depth)

    def _project_and_split(self, x: tf.Tensor, *projections: keras.layers.Dense) -> list[tf.Tensor]:
        return [self.split_heads(project(x), tf.shape(x)[0]) for project in projections]

    def dot_product_attention(
        self, q: tf.Tensor, k: tf.Tensor, v: tf.Tensor, mask: tf.Tensor | None
    ) -> tuple[tf.Tensor, tf.Tensor]:
        group = self.num_heads // self.key_value_heads
        k, v = tf.repeat(k, group, axis=1), tf.repeat(v, group, axis=1)  # (batch, heads, …)
        return super().dot_product_attention(q, k, v, mask)


class MultiQueryAttention(GroupedQueryAttention):
    """`GroupedQueryAttention` with one head of keys and values (Shazeer 2019, section 3)."""

    key_value_heads = 1


class GroupedQueryDecoderLayer(DecoderLayer):
    """`DecoderLayer` with `GroupedQueryAttention`."""

    self_attention_class = cross_attention_class = GroupedQueryAttention


class MultiQueryDecoderLayer(DecoderLayer):
    """`DecoderLayer` with `MultiQueryAttention`."""

    self_attention_class = cross_attention_class = MultiQueryAttention


class GroupedQueryDecoder(Decoder):
    """`Decoder` with `GroupedQueryAttention`."""

    layer_class = GroupedQueryDecoderLayer


class MultiQueryDecoder(Decoder):
    """`Decoder` with `MultiQueryAttention`."""

    layer_class = MultiQueryDecoderLayer


@keras.saving.register_keras_serializable(package="tf_models")
class GroupedQueryTransformer(Transformer):
    """`Transformer` whose decoder has two heads of keys and values.

    The encoder, which reads all tokens at once, keeps all heads (Ainslie et al. 2023, section 2.2).
    """

    decoder_class = GroupedQueryDecoder


@keras.saving.register_keras_serializable(package="tf_models")
class MultiQueryTransformer(Transformer):
    """`Transformer` whose decoder has one head of keys and values."""

    decoder_class = MultiQueryDecoder
