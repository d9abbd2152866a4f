"""Looks into a Transformer: what goes through its layers, and how far a key moves a query."""

import tensorflow as tf

from tf_models.transformer.attention import MultiHeadAttention
from tf_models.transformer.model import Decoder, Encoder


def encoder_states(
    encoder: Encoder, ids: tf.Tensor, padding_mask: tf.Tensor | None = None
) -> list[tf.Tensor]:
    """Inputs of all encoder layers without dropout, and behind them the output of the last one.

    Args:
        encoder: of the article's Transformer.
        ids: (batch, inp_len).
        padding_mask: (batch, 1, 1, inp_len).

    Returns:
        num_layers + 1 tensors (batch, inp_len, d_model).
    """
    states = [encoder.embed(ids)]
    for layer in encoder.enc_layers:
        states.append(layer(states[-1], padding_mask=padding_mask)[0])
    return states


def decoder_states(
    decoder: Decoder,
    ids: tf.Tensor,
    enc_output: tf.Tensor,
    look_ahead_mask: tf.Tensor | None = None,
    padding_mask: tf.Tensor | None = None,
) -> list[tf.Tensor]:
    """Inputs of all decoder layers and the output of the last one, as `encoder_states`."""
    masks = {"look_ahead_mask": look_ahead_mask, "padding_mask": padding_mask}
    states = [decoder.embed(ids)]
    for layer in decoder.dec_layers:
        states.append(layer(states[-1], enc_output, **masks)[0])
    return states


def value_norms(mha: MultiHeadAttention, v: tf.Tensor) -> tf.Tensor:
    """||f(x)|| of each head, f(x) = (x W^V + b^V) W^O with that head's rows of W^O.

    The layer's output is the sum of weight * f(x) over all heads and keys, plus the bias of W^O. So
    weight * ||f(x)|| says how far a key moves a query (Kobayashi et al. 2020, "Attention is Not
    Only a Weight", section 3).

    Args:
        mha: of the layer.
        v: what its values are made of, (batch, len_k, d_model).

    Returns:
        (batch, num_heads, len_k).
    """
    v = mha.split_heads(mha.wv(v), tf.shape(v)[0])  # (batch, num_kv_heads, len_k, depth)
    v = tf.repeat(v, mha.num_heads // mha.num_kv_heads, axis=1)  # (batch, num_heads, len_k, depth)
    kernel = tf.reshape(mha.dense.kernel, (mha.num_heads, mha.depth, mha.d_model))
    moved = tf.matmul(v, tf.cast(kernel, v.dtype))  # (batch, num_heads, len_k, d_model)
    return tf.norm(moved, axis=-1)
