"""Transformers without one thing that the articles explain: what is it good for?

They are trained beside the whole one, and have the same weights by the same names.
"""

import keras

from tf_models.transformer.attention import MultiHeadAttention
from tf_models.transformer.model import Transformer


class UnscaledAttention(MultiHeadAttention):
    """softmax(Q K^T) V: scores that are not divided by sqrt(d_k)."""

    def dot_product_attention(self, q, k, v, mask):
        return super().dot_product_attention(q * self.depth**0.5, k, v, mask)


@keras.saving.register_keras_serializable(package="research")
class UnscaledTransformer(Transformer):
    """`Transformer` without the division by sqrt(d_k) (Vaswani et al. 2017, section 3.2.1)."""

    def __init__(self, *sizes, **options):
        super().__init__(*sizes, attention=UnscaledAttention, **options)


@keras.saving.register_keras_serializable(package="research")
class PositionlessTransformer(Transformer):
    """`Transformer` without positional encoding (Vaswani et al. 2017, section 3.5)."""

    def __init__(self, *sizes, **options):
        super().__init__(*sizes, position_encoding="none", **options)
