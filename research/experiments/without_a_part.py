"""Transformers without one thing that the articles explain: what is it good for?

They are trained beside the whole one, and have the same weights by the same names.
"""

from tf_models.transformer.attention import MultiHeadAttention
from tf_models.transformer.layers import DecoderLayer, EncoderLayer
from tf_models.transformer.model import Decoder, Encoder, Transformer
from tf_models.transformer.variants.positions import WithoutPositions


class UnscaledAttention(MultiHeadAttention):
    """softmax(Q K^T) V: scores that are not divided by sqrt(d_k)."""

    def dot_product_attention(self, q, k, v, mask):
        return super().dot_product_attention(q * self.depth**0.5, k, v, mask)


class UnscaledEncoderLayer(EncoderLayer):
    """`EncoderLayer` with `UnscaledAttention`."""

    self_attention_class = UnscaledAttention


class UnscaledDecoderLayer(DecoderLayer):
    """`DecoderLayer` with `UnscaledAttention`."""

    self_attention_class = cross_attention_class = UnscaledAttention


class UnscaledEncoder(Encoder):
    """`Encoder` with `UnscaledAttention`."""

    layer_class = UnscaledEncoderLayer


class UnscaledDecoder(Decoder):
    """`Decoder` with `UnscaledAttention`."""

    layer_class = UnscaledDecoderLayer


class UnscaledTransformer(Transformer):
    """`Transformer` without the division by sqrt(d_k) (Vaswani et al. 2017, section 3.2.1)."""

    encoder_class, decoder_class = UnscaledEncoder, UnscaledDecoder


class PositionlessEncoder(WithoutPositions, Encoder):
    """`Encoder` to which a sentence is a bag of words."""


class PositionlessDecoder(WithoutPositions, Decoder):
    """`Decoder` that knows the order of words by its look-ahead mask alone."""


class PositionlessTransformer(Transformer):
    """`Transformer` without positional encoding (Vaswani et al. 2017, section 3.5)."""

    encoder_class, decoder_class = PositionlessEncoder, PositionlessDecoder
