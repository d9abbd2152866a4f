import numpy as np
import tensorflow as tf

from tests.support.layer_check import check_layer
from tf_models.transformer.layers import DecoderLayer, EncoderLayer, point_wise_feed_forward_network

ARGUMENTS = {"d_model": 16, "num_heads": 4, "dff": 32, "rate": 0.2}


def random(*shape):
    return tf.constant(np.random.default_rng(0).normal(size=shape), tf.float32)


def test_encoder_layer(tmp_path):
    check_layer(
        EncoderLayer, ARGUMENTS, (random(2, 5, 16),), [(2, 5, 16), (2, 4, 5, 5)], 16, tmp_path
    )


def test_decoder_layer(tmp_path):
    check_layer(
        DecoderLayer,
        ARGUMENTS,
        (random(2, 3, 16), random(2, 5, 16)),
        [(2, 3, 16), (2, 4, 3, 3), (2, 4, 3, 5)],
        26,
        tmp_path,
    )


def test_feed_forward_has_the_articles_numbers_of_parameters():
    """Row 7."""
    ffn = point_wise_feed_forward_network(512, 2048)
    ffn.build((None, None, 512))

    assert [layer.count_params() for layer in ffn.layers] == [1_050_624, 1_049_088]


def test_feed_forward_treats_every_position_alike():
    ffn = point_wise_feed_forward_network(8, 16)
    sentence = random(1, 5, 8)

    together = ffn(sentence)
    apart = tf.concat([ffn(sentence[:, i : i + 1]) for i in range(5)], axis=1)
    np.testing.assert_allclose(together, apart, atol=1e-6)


def test_dropout_acts_in_training_only():
    layer, sentence = EncoderLayer(**ARGUMENTS), random(1, 5, 16)

    np.testing.assert_array_equal(layer(sentence)[0], layer(sentence)[0])
    assert not np.allclose(layer(sentence)[0], layer(sentence, training=True)[0])


def test_steps_give_what_the_whole_sentence_gives():
    layer, memory = DecoderLayer(**ARGUMENTS), random(2, 5, 16)
    target = random(2, 4, 16)
    whole, _, _ = layer(
        target, memory, look_ahead_mask=1 - tf.linalg.band_part(tf.ones((4, 4)), -1, 0)
    )

    kv_cache = (tf.zeros((2, 4, 0, 4)),) * 2
    keys_and_values = layer.mha2.keys_and_values(memory, memory)
    for i in range(4):
        token, kv_cache = layer.step(
            target[:, i], kv_cache, keys_and_values, tf.zeros((2, 1, 1, 5))
        )
        np.testing.assert_allclose(token, whole[:, i], atol=1e-5)
