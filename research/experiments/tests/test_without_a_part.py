import keras
import numpy as np
import pytest
import tensorflow as tf

from research.experiments.without_a_part import (
    PositionlessTransformer,
    UnscaledAttention,
    UnscaledTransformer,
)
from tf_models.transformer.attention import MultiHeadAttention
from tf_models.transformer.model import Transformer

SIZES = (2, 16, 4, 32, 20, 30, 12, 13)
INP, TAR = tf.constant([[3, 4, 5, 6]]), tf.constant([[7, 8, 9]])


def build(network_class):
    keras.utils.set_random_seed(0)
    network = network_class(*SIZES)
    network.build()
    return network


def test_scores_are_not_divided():
    x = tf.constant(np.random.default_rng(0).normal(size=(1, 5, 16)), tf.float32)
    plain, unscaled = MultiHeadAttention(16, 4), UnscaledAttention(16, 4)
    _, weights = plain(x, x, x)
    unscaled(x, x, x)
    for to, of in zip(unscaled.weights, plain.weights, strict=True):
        to.assign(of)
    plain.wq.kernel.assign(2 * plain.wq.kernel)  # sqrt(d_k) = 2
    np.testing.assert_allclose(unscaled(x, x, x)[1], plain(x, x, x)[1], atol=1e-6)
    assert abs(unscaled(x, x, x)[1] - weights).numpy().max() > 0.05


def test_every_block_of_the_unscaled_transformer_is_so():
    layers = [*build(UnscaledTransformer).encoder.enc_layers]
    layers += build(UnscaledTransformer).decoder.dec_layers
    blocks = [block for layer in layers for block in layer.attentions]
    assert [type(block) for block in blocks] == [UnscaledAttention] * 6


@pytest.mark.parametrize(
    ("network_class", "same"), [(PositionlessTransformer, True), (Transformer, False)]
)
def test_without_positions_the_order_of_the_source_is_unknown(network_class, same):
    network = build(network_class)
    logits, _ = network(INP, TAR)
    turned, _ = network(INP[:, ::-1], TAR)
    assert np.allclose(logits, turned, atol=1e-5) == same
