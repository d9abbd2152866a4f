import keras
import numpy as np
import pytest
import tensorflow as tf

from research.heads.interventions import (
    KINDS,
    Head,
    attention_block,
    head_ablated,
    heads_of,
    masked_states,
    others_ablated,
    random_rows_ablated,
)
from tf_models.transformer.model import Transformer

INP, TAR = tf.constant([[3, 4, 5, 6]]), tf.constant([[7, 8, 9]])


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
    assert str(heads_of(network)[-1]) == "cross 1.4"
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


def test_a_random_head_has_as_many_rows(network):
    kernel = attention_block(network, "cross", 1).dense.kernel
    with random_rows_ablated(network, "cross", 1, np.random.default_rng(1)):
        rows = np.flatnonzero(~kernel.numpy().any(axis=1))
    assert len(rows) == 4
    assert len({row // 4 for row in rows}) > 1  # of several heads


def nothing():
    lengths = {"encoder": (4, 4), "decoder": (3, 3), "cross": (3, 4)}
    return {kind: np.zeros((1, 1, 4, *size), np.float32) for kind, size in lengths.items()}


def test_nothing_blocked_is_the_model_itself(network):
    expected, _ = network.decoder_states(INP, TAR)
    np.testing.assert_allclose(masked_states(network, INP, TAR, nothing()), expected, atol=1e-6)


def test_what_is_blocked_has_no_influence(network):
    """Cross-attention sees the third word alone, which in the encoder does not see the first."""
    masked = nothing()
    masked["encoder"][..., 2, 0] = 1
    masked["cross"][..., [0, 1, 3]] = 1
    other = tf.tensor_scatter_nd_update(INP, [[0, 0]], [15])
    states = [masked_states(network, inp, TAR, masked).numpy() for inp in (INP, other)]
    np.testing.assert_array_equal(*states)
    masked["encoder"][0, 0, 1, 2, 0] = 0  # one head may attend again
    states = [masked_states(network, inp, TAR, masked).numpy() for inp in (INP, other)]
    assert abs(states[0] - states[1]).max() > 1e-4
