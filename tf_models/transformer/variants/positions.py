"""Positions that are learned, or left to the attention (Gehring et al. 2017, section 3.1)."""

from typing import Any

import keras
import tensorflow as tf

from tf_models.layers import Shape
from tf_models.transformer.model import Decoder, Encoder, Transformer


class WithoutPositions(keras.layers.Layer):
    """Mixin of an `Encoder` or a `Decoder`: nothing is added to the embeddings."""

    pos_encoding: tf.Tensor

    def __init__(self, *sizes: int, **options: Any):
        super().__init__(*sizes, **options)
        self.pos_encoding = tf.zeros_like(self.pos_encoding)  # (1, max_length, d_model)


class LearnedPositions(keras.layers.Layer):
    """Mixin of an `Encoder` or a `Decoder`: x + p, with a learned vector p for each position.

    Vaswani et al. (2017), table 3, row E, find them as good as sines and cosines.
    """

    pos_encoding: tf.Tensor

    def build(self, x_shape: Shape | None = None, *further: Shape) -> None:
        super().build(x_shape, *further)
        self.pos_encoding = self.add_weight(  # (1, max_length, d_model)
            shape=self.pos_encoding.shape,
            initializer=keras.initializers.RandomNormal(stddev=0.1),
            name="position_embedding",
        )


class LearnedPositionsEncoder(LearnedPositions, Encoder):
    """`Encoder` with learned positions."""


class LearnedPositionsDecoder(LearnedPositions, Decoder):
    """`Decoder` with learned positions."""


@keras.saving.register_keras_serializable(package="tf_models")
class LearnedPositionsTransformer(Transformer):
    """`Transformer` with learned positions."""

    encoder_class, decoder_class = LearnedPositionsEncoder, LearnedPositionsDecoder
