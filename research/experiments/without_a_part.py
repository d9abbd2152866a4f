"""Transformers without one thing that the articles explain: what is it good for?

They are trained beside the whole one, and have the same weights by the same names.
"""

from typing import Any

import keras
import tensorflow as tf

from tf_models.transformer.attention import MultiHeadAttention
from tf_models.transformer.model import Transformer


class UnscaledAttention(MultiHeadAttention):
    """softmax(Q K^T) V: scores that are not divided by sqrt(d_k)."""

    def dot_product_attention(
        self, q: tf.Tensor, k: tf.Tensor, v: tf.Tensor, mask: tf.Tensor | None
    ) -> tuple[tf.Tensor, tf.Tensor]:
        return super().dot_product_attention(q * self.depth**0.5, k, v, mask)


@keras.saving.register_keras_serializable(package="research")
class UnscaledTransformer(Transformer):
    """`Transformer` without the division by sqrt(d_k) (Vaswani et al. 2017, section 3.2.1)."""

    def __init__(self, *sizes: Any, **options: Any):
        super().__init__(*sizes, attention=UnscaledAttention, **options)


@keras.saving.register_keras_serializable(package="research")
class PositionlessTransformer(Transformer):
    """`Transformer` without positional encoding (Vaswani et al. 2017, section 3.5)."""

    def __init__(self, *sizes: Any, **options: Any):
        super().__init__(*sizes, position_encoding="none", **options)
