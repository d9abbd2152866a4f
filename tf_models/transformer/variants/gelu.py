"""GELU(x) = x Phi(x) in the feed-forward networks (Hendrycks & Gimpel 2016, section 2).

Phi is the distribution function of a standard normal. BERT and its successors have it where the
original has max(0, x).
"""

import keras

from tf_models.transformer.layers import DecoderLayer, EncoderLayer
from tf_models.transformer.model import Decoder, Encoder, Transformer


class GeluEncoderLayer(EncoderLayer):
    """`EncoderLayer` with GELU."""

    activation = "gelu"


class GeluDecoderLayer(DecoderLayer):
    """`DecoderLayer` with GELU."""

    activation = "gelu"


class GeluEncoder(Encoder):
    """`Encoder` with GELU."""

    layer_class = GeluEncoderLayer


class GeluDecoder(Decoder):
    """`Decoder` with GELU."""

    layer_class = GeluDecoderLayer


@keras.saving.register_keras_serializable(package="tf_models")
class GeluTransformer(Transformer):
    """`Transformer` with GELU."""

    encoder_class, decoder_class = GeluEncoder, GeluDecoder
