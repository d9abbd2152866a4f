import numpy as np
import tensorflow as tf

from tf_models.transformer.masks import create_look_ahead_mask, create_masks, create_padding_mask


def test_padding_mask_blocks_zeros_only():
    mask = create_padding_mask(tf.constant([[7, 6, 0, 0, 1], [1, 2, 3, 0, 0]]))

    assert mask.shape == (2, 1, 1, 5)
    np.testing.assert_array_equal(mask[:, 0, 0], [[0, 0, 1, 1, 0], [0, 0, 0, 1, 1]])


def test_look_ahead_mask_blocks_the_future():
    np.testing.assert_array_equal(
        create_look_ahead_mask(4), [[0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 0, 0]]
    )


def test_the_three_masks_of_a_batch():
    inp, tar = tf.constant([[5, 6, 0]]), tf.constant([[5, 6, 7, 0]])
    enc_padding, combined, dec_padding = create_masks(inp, tar)

    np.testing.assert_array_equal(enc_padding, [[[[0, 0, 1]]]])
    np.testing.assert_array_equal(dec_padding, [[[[0, 0, 1]]]])
    np.testing.assert_array_equal(
        combined, [[[[0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 0, 1]]]]
    )


def test_als_sees_six_tokens():
    """Row 13: the sixth of ten words is compared with itself and the five before."""
    combined = create_masks(tf.ones((1, 9), tf.int32), tf.ones((1, 10), tf.int32))[1]

    assert int(tf.reduce_sum(1 - combined[0, 0, 5])) == 6
