"""Transformers without one thing that the articles explain: what is it good for?

They are trained beside the whole one, and have the same weights by the same names.
"""

import tensorflow as tf

from tf_models.transformer.attention import MultiHeadAttention
from tf_models.transformer.layers import DecoderLayer, EncoderLayer
from tf_models.transformer.model import Decoder, Encoder, Transformer


class UnscaledAttention(MultiHeadAttention):
    """softmax(Q K^T) V: scores that are not divided by sqrt(d_k)."""

    def _attend(self, q, k, v, mask):
        return super()._attend(q * self.depth**0.5, k, v, mask)


class _Unscaled:
    def _attention(self, name: str) -> UnscaledAttention:
        return UnscaledAttention(self.d_model, self.num_heads, dtype=self.dtype_policy, name=name)


class UnscaledEncoderLayer(_Unscaled, EncoderLayer):
    """`EncoderLayer` with `UnscaledAttention`."""


class UnscaledDecoderLayer(_Unscaled, DecoderLayer):
    """`DecoderLayer` with `UnscaledAttention`."""


class UnscaledEncoder(Encoder):
    """`Encoder` with `UnscaledAttention`."""

    layer_class = UnscaledEncoderLayer


class UnscaledDecoder(Decoder):
    """`Decoder` with `UnscaledAttention`."""

    layer_class = UnscaledDecoderLayer


class UnscaledTransformer(Transformer):
    """`Transformer` without the division by sqrt(d_k) (Vaswani et al. 2017, section 3.2.1)."""

    encoder_class, decoder_class = UnscaledEncoder, UnscaledDecoder


class _WithoutPositions:
    def __init__(self, *sizes, **options):
        super().__init__(*sizes, **options)
        self.pos_encoding = tf.zeros_like(self.pos_encoding)  # (1, max_length, d_model)


class PositionlessEncoder(_WithoutPositions, Encoder):
    """`Encoder` to which a sentence is a bag of words."""


class PositionlessDecoder(_WithoutPositions, Decoder):
    """`Decoder` that knows the order of words by its look-ahead mask alone."""


class PositionlessTransformer(Transformer):
    """`Transformer` without positional encoding (Vaswani et al. 2017, section 3.5)."""

    encoder_class, decoder_class = PositionlessEncoder, PositionlessDecoder
