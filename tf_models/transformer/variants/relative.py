"""Self-attention with relative positions (Shaw, Uszkoreit & Vaswani 2018)."""

import keras
import tensorflow as tf

from tf_models.layers import Shape
from tf_models.transformer.attention import MultiHeadAttention, scaled_dot_product_attention
from tf_models.transformer.layers import DecoderLayer, EncoderLayer
from tf_models.transformer.model import Decoder, Encoder, Transformer
from tf_models.transformer.variants.positions import WithoutPositions

MAX_DISTANCE = 16  # k: farther tokens count as that far (section 3.2)


class RelativeAttention(MultiHeadAttention):
    """e_ij = q_i · (k_j + a^K_ij) / sqrt(d_z), z_i = sum_j alpha_ij (v_j + a^V_ij).

    (Equations 4 and 3.) The vectors a depend on the distance j - i alone, clipped to -k … k; all
    heads of a layer share them.
    """

    def build(
        self,
        v_shape: Shape | None = None,
        k_shape: Shape | None = None,
        q_shape: Shape | None = None,
    ) -> None:
        super().build(v_shape, k_shape, q_shape)
        shape = (2 * MAX_DISTANCE + 1, self.depth)
        self.key_table = self.add_weight(shape=shape, name="relative_key_embedding")  # w^K
        self.value_table = self.add_weight(shape=shape, name="relative_value_embedding")  # w^V

    def dot_product_attention(
        self, q: tf.Tensor, k: tf.Tensor, v: tf.Tensor, mask: tf.Tensor | None
    ) -> tuple[tf.Tensor, tf.Tensor]:
        len_q, len_k = tf.shape(q)[2], tf.shape(k)[2]
        keys = tf.range(len_k)
        queries = keys[len_k - len_q :]  # step by step the query is the newest token
        distances = clipped_distances(queries, keys)  # (len_q, len_k)
        a_k = tf.gather(tf.cast(self.key_table, q.dtype), distances)  # (len_q, len_k, depth)
        a_v = tf.gather(tf.cast(self.value_table, q.dtype), distances)  # (len_q, len_k, depth)
        bias = tf.einsum("bhid,ijd->bhij", q, a_k)  # the second part of equation 5
        z, weights = scaled_dot_product_attention(q, k, v, mask, bias)
        z += tf.einsum("bhij,ijd->bhid", tf.cast(weights, v.dtype), a_v)
        return z, weights


def clipped_distances(queries: tf.Tensor, keys: tf.Tensor) -> tf.Tensor:
    """clip(j - i, -k, k) + k for positions (len_q,) and (len_k,): rows of the tables w^K and w^V.

    Example:
        >>> print(clipped_distances(tf.range(3), tf.range(3)).numpy() - MAX_DISTANCE)
        [[ 0  1  2]
         [-1  0  1]
         [-2 -1  0]]
    """
    distances = keys[tf.newaxis] - queries[:, tf.newaxis]  # (len_q, len_k)
    return tf.clip_by_value(distances, -MAX_DISTANCE, MAX_DISTANCE) + MAX_DISTANCE


class RelativeEncoderLayer(EncoderLayer):
    """`EncoderLayer` with `RelativeAttention`."""

    self_attention_class = RelativeAttention


class RelativeDecoderLayer(DecoderLayer):
    """`DecoderLayer` with `RelativeAttention` to the tokens before."""

    self_attention_class = RelativeAttention


class RelativeEncoder(WithoutPositions, Encoder):
    """`Encoder` with `RelativeAttention`."""

    layer_class = RelativeEncoderLayer


class RelativeDecoder(WithoutPositions, Decoder):
    """`Decoder` with `RelativeAttention`."""

    layer_class = RelativeDecoderLayer


@keras.saving.register_keras_serializable(package="tf_models")
class RelativeTransformer(Transformer):
    """`Transformer` with relative positions in place of sines and cosines."""

    encoder_class, decoder_class = RelativeEncoder, RelativeDecoder
