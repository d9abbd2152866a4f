"""Masks: 1 marks a position that must not be attended to, 0 one that may."""

import tensorflow as tf

from tf_models.ids import PADDING_ID


def create_padding_mask(seq: tf.Tensor) -> tf.Tensor:
    """Block the padding of sentences (batch, len), padded with 0.

    The mask (batch, 1, 1, len), float32, is broadcast over heads and queries.

    Example:
        >>> print(create_padding_mask(tf.constant([[7, 6, 0]])).numpy())
        [[[[0. 0. 1.]]]]
    """
    mask = tf.cast(tf.equal(seq, PADDING_ID), tf.float32)
    return mask[:, tf.newaxis, tf.newaxis, :]  # (batch, 1, 1, len)


def create_look_ahead_mask(size: int) -> tf.Tensor:
    """Block the future: token i sees the tokens 0 … i. (size, size), float32.

    Example:
        >>> print(create_look_ahead_mask(3).numpy())
        [[0. 1. 1.]
         [0. 0. 1.]
         [0. 0. 0.]]
    """
    return 1 - tf.linalg.band_part(tf.ones((size, size)), -1, 0)  # (len, len)


def create_masks(inp: tf.Tensor, tar: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """Make the masks for ids inp (batch, inp_len) and tar (batch, tar_len).

    Returns:
        enc_padding_mask: (batch, 1, 1, inp_len), for the encoder's self-attention.
        combined_mask: (batch, 1, tar_len, tar_len), padding and future of the target,
            for the decoder's first attention block.
        dec_padding_mask: (batch, 1, 1, inp_len), for the decoder's second attention block.
    """
    enc_padding_mask = create_padding_mask(inp)
    dec_padding_mask = create_padding_mask(inp)
    look_ahead_mask = create_look_ahead_mask(tf.shape(tar)[1])
    combined_mask = tf.maximum(create_padding_mask(tar), look_ahead_mask)
    return enc_padding_mask, combined_mask, dec_padding_mask
