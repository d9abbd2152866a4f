import keras
import numpy as np
import pytest
import tensorflow as tf

from research.heads.ablation import (
    KINDS,
    Head,
    attention_block,
    head_ablated,
    heads_of,
    others_ablated,
)
from tf_models.transformer.model import Transformer


@pytest.fixture(scope="module")
def network():
    keras.utils.set_random_seed(0)
    network = Transformer(1, 16, 4, 32, 20, 30, 12, 13)
    network.build()
    return network


def attend(block):
    x = tf.constant(np.random.default_rng(0).normal(size=(1, 5, 16)), tf.float32)
    return block(x, x, x)[0].numpy()


def test_every_head_once(network):
    assert len(set(heads_of(network))) == 3 * 1 * 4
    layers = network.encoder.enc_layers[0], network.decoder.dec_layers[0]
    blocks = [attention_block(network, kind, 1) for kind in KINDS]
    assert blocks == [layers[0].mha, layers[1].mha1, layers[1].mha2]


@pytest.mark.parametrize("kind", KINDS)
def test_a_head_and_all_others_make_up_the_whole(network, kind):
    """The output is a sum over the heads, and the bias."""
    block, head = attention_block(network, kind, 1), Head(kind, 1, 2)
    block.dense.bias.assign(np.arange(16))
    whole = attend(block)
    with head_ablated(network, head):
        without = attend(block)
    with others_ablated(network, head):
        alone = attend(block)
    np.testing.assert_allclose(without + alone, whole + np.arange(16), atol=1e-5)
    assert abs(without - whole).max() > 0.1
    assert abs(alone - whole).max() > 0.1
    np.testing.assert_array_equal(attend(block), whole)


def test_what_a_head_finds_no_longer_counts(network):
    block = attention_block(network, "encoder", 1)
    with head_ablated(network, Head("encoder", 1, 3)):
        before = attend(block)
        values = block.wv.kernel.numpy()
        block.wv.kernel.assign(np.where(np.arange(16) // 4 == 2, 0, values))
        np.testing.assert_array_equal(attend(block), before)
    block.wv.kernel.assign(values)


def test_weights_come_back_after_an_error(network):
    kernel = attention_block(network, "cross", 1).dense.kernel
    before = kernel.numpy()

    def fail():
        with head_ablated(network, Head("cross", 1, 1)):
            assert not kernel.numpy()[:4].any()
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    np.testing.assert_array_equal(kernel.numpy(), before)
