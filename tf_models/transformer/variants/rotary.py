"""Rotary positions (Su et al. 2021, "RoFormer")."""

from typing import Any

import keras
import numpy as np
import tensorflow as tf

from tf_models.errors import InputError
from tf_models.transformer.attention import MultiHeadAttention
from tf_models.transformer.layers import DecoderLayer, EncoderLayer
from tf_models.transformer.model import Decoder, Encoder, Transformer
from tf_models.transformer.positions import get_angles
from tf_models.transformer.variants.positions import WithoutPositions


def rotate(x: tf.Tensor, positions: tf.Tensor) -> tf.Tensor:
    """R_m x: turn each pair of numbers of the vector at position m by the angle m theta_i.

    theta_i = 10000^(-2(i-1)/d) (equation 15), computed as in equation 34:
    x ⊗ cos(m theta) + (-x_2, x_1, -x_4, x_3, …) ⊗ sin(m theta).

    Args:
        x: queries or keys, (..., len, depth).
        positions: (len,).

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


class RotaryAttention(MultiHeadAttention):
    """softmax((R_m q_m)^T (R_n k_n) / sqrt(d_k)): scores know n - m alone (equation 16).

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
        # Keys are kept as they are, and turned when they are looked at: step by step the query is
        # the newest token.
        positions = tf.range(tf.shape(k)[2])
        q = rotate(q, positions[tf.shape(k)[2] - tf.shape(q)[2] :])
        return super().dot_product_attention(q, rotate(k, positions), v, mask)


class RotaryEncoderLayer(EncoderLayer):
    """`EncoderLayer` with `RotaryAttention`."""

    self_attention_class = RotaryAttention


class RotaryDecoderLayer(DecoderLayer):
    """`DecoderLayer` with `RotaryAttention` to the tokens before."""

    self_attention_class = RotaryAttention


class RotaryEncoder(WithoutPositions, Encoder):
    """`Encoder` with `RotaryAttention`."""

    layer_class = RotaryEncoderLayer


class RotaryDecoder(WithoutPositions, Decoder):
    """`Decoder` with `RotaryAttention`."""

    layer_class = RotaryDecoderLayer


@keras.saving.register_keras_serializable(package="tf_models")
class RotaryTransformer(Transformer):
    """`Transformer` with rotary positions in place of sines and cosines."""

    encoder_class, decoder_class = RotaryEncoder, RotaryDecoder
