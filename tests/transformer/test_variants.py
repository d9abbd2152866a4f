"""The variants: each does what its paper says, and goes the same ways as the original."""

import keras
import numpy as np
import pytest
import tensorflow as tf

from tf_models.transformer.attention import MultiHeadAttention
from tf_models.transformer.initialisation import initialise_mimetically, scale_residual_branches
from tf_models.transformer.masks import create_look_ahead_mask
from tf_models.transformer.model import Transformer
from tf_models.transformer.variants import (
    MAX_DISTANCE,
    GroupedQueryAttention,
    RelativeAttention,
    RotaryAttention,
    rotate,
)
from tf_models.translation.model import TransformerModel, inner_transformer
from tf_models.translation.settings import VARIANTS

SIZES = {"num_layers": 1, "d_model": 16, "num_heads": 4, "dff": 32, "pe_input": 12, "pe_target": 13}
VOCABULARIES = {"input_vocab_size": 20, "target_vocab_size": 30}
INP, TAR = (
    tf.constant([[3, 4, 5, 6, 7], [8, 9, 3, 0, 0]]),
    tf.constant([[7, 8, 9, 2], [5, 6, 2, 3]]),
)
HEADS_IN_CACHE = {"grouped-query": 2, "multi-query": 1}


def build(name):
    keras.utils.set_random_seed(0)
    network = Transformer(**SIZES, **VOCABULARIES, **VARIANTS[name])
    network.build()
    return network


def random(*shape, seed=0):
    return tf.constant(np.random.default_rng(seed).normal(size=shape), tf.float32)


@pytest.mark.parametrize("name", VARIANTS)
def test_step_by_step_it_writes_what_it_computes_at_once(name):
    network = build(name)
    model = TransformerModel(network)
    logits, _ = network(INP, TAR, training=False)
    weights, memory = model.weights((0,)), model.encode(INP)
    heads = HEADS_IN_CACHE.get(name, 4)
    caches = model.initial_state(memory)
    caches = tf.nest.map_structure(lambda cache: tf.repeat(cache, 2, axis=1), caches)
    for i in range(TAR.shape[1]):
        ids = tf.repeat(TAR[:, i : i + 1], 2, axis=1)  # two equal hypotheses
        found, caches = model.step(ids, memory, caches, *weights)
        for hypothesis in range(2):
            np.testing.assert_allclose(found[:, hypothesis, 1:30], logits[:, i, 1:], atol=1e-5)
    assert [key.shape for key, _ in memory.keys_and_values] == [(2, heads, 5, 4)]
    assert [key.shape for key, _ in caches] == [(2, 2, heads, TAR.shape[1], 4)]
    assert inner_transformer(model) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_saved_and_loaded_it_computes_the_same(name, tmp_path):
    network = build(name)
    network.save(tmp_path / "network.keras")
    loaded = keras.models.load_model(tmp_path / "network.keras")

    assert VARIANTS[name].items() <= loaded.get_config().items()
    np.testing.assert_array_equal(loaded(INP, TAR)[0], network(INP, TAR)[0])


@pytest.mark.parametrize("name", ["relative", "learned-positions", "pre-norm", "multi-query"])
def test_every_weight_of_it_learns_also_from_a_gentle_start(name):
    network = build(name)
    scale_residual_branches(network, 0.5)
    initialise_mimetically(network)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(network(INP, TAR, training=True)[0] ** 2)
    gradients = tape.gradient(loss, [weight.value for weight in network.trainable_variables])
    assert all(gradient is not None for gradient in gradients)


@pytest.mark.parametrize("name", ["relative", "rotary", "learned-positions"])
def test_it_knows_the_order_of_the_source(name):
    network = build(name)
    for weight in network.trainable_variables:
        if "relative" in weight.path:
            weight.assign(3 * weight)
    turned, _ = network(INP[:1, ::-1], TAR[:1])
    assert abs(turned - network(INP[:1], TAR[:1])[0]).numpy().max() > 1e-3


@pytest.mark.parametrize("name", ["relative", "rotary"])
def test_only_distances_count(name):
    """The same tokens two places later attend to each other as before."""
    encoder = build(name).encoder
    mask = tf.constant([[[[1.0, 1.0, 0.0, 0.0, 0.0]]]])
    _, later = encoder(tf.constant([[8, 9, 3, 4, 5]]), padding_mask=mask)
    _, first = encoder(tf.constant([[3, 4, 5]]))
    (later,), (first,) = later.values(), first.values()
    np.testing.assert_allclose(later[:, :, 2:, 2:], first, atol=1e-5)


def test_only_self_attention_goes_by_distance_and_only_the_decoder_groups_heads():
    kinds = {
        name: [type(block) for layer in stack.stack for block in layer.attentions]
        for name in ("relative", "grouped-query")
        for network in [build(name)]
        for stack in [network.encoder, network.decoder]
        if stack is network.decoder or name == "grouped-query"
    }
    assert kinds["relative"] == [RelativeAttention, MultiHeadAttention]
    assert kinds["grouped-query"] == [GroupedQueryAttention] * 2
    (layer,) = build("grouped-query").encoder.enc_layers
    assert type(layer.mha) is MultiHeadAttention


def test_relative_attention_is_equations_3_and_4():
    attention, x = RelativeAttention(8, 2), random(1, 2 * MAX_DISTANCE, 8)
    length = x.shape[1]
    mask = create_look_ahead_mask(length)
    output, weights = attention(x, x, x, mask)
    q, k, v = (
        attention.split_heads(w(x), 1)[0].numpy()
        for w in (attention.wq, attention.wk, attention.wv)
    )
    a_k, a_v = attention.key_table.numpy(), attention.value_table.numpy()
    concat = np.zeros((length, 8), np.float32)
    for head in range(2):
        for i in range(length):
            rows = np.clip(np.arange(length) - i, -MAX_DISTANCE, MAX_DISTANCE) + MAX_DISTANCE
            e = (k[head] + a_k[rows]) @ q[head, i] / 2 - 1e9 * mask[i].numpy()
            alpha = tf.nn.softmax(e).numpy()
            np.testing.assert_allclose(weights[0, head, i], alpha, atol=1e-5)
            concat[i, 4 * head : 4 * head + 4] = alpha @ (v[head] + a_v[rows])
    np.testing.assert_allclose(output[0], attention.dense(concat), atol=1e-5)


def test_a_rotation_keeps_lengths_and_products_of_equal_distances():
    x, y = random(4), random(4, seed=1)
    turned_x, turned_y = (rotate(tf.repeat(one[None], 9, axis=0), tf.range(9)) for one in (x, y))
    np.testing.assert_allclose(tf.norm(turned_x, axis=1), [tf.norm(x)] * 9, rtol=1e-5)
    products = tf.matmul(turned_x, turned_y, transpose_b=True).numpy()
    for distance in range(-8, 9):
        assert np.ptp(np.diagonal(products, distance)) < 1e-5
    complex_x = (x[::2].numpy() + 1j * x[1::2].numpy()) * np.exp(1j * 8 * np.array([1, 0.01]))
    np.testing.assert_allclose(turned_x[8, ::2], complex_x.real, atol=1e-5)
    np.testing.assert_allclose(turned_x[8, 1::2], complex_x.imag, atol=1e-5)


def test_grouped_heads_are_heads_with_the_same_keys_and_values():
    grouped, plain = GroupedQueryAttention(16, 4), MultiHeadAttention(16, 4)
    x = random(1, 5, 16)
    output, weights = grouped(x, x, x)
    plain(x, x, x)
    for name in ("wq", "wk", "wv", "dense"):
        of = getattr(grouped, name)
        parts = [of.kernel.numpy(), of.bias.numpy()]
        if name in ("wk", "wv"):  # two heads of 4 numbers, each of them twice
            parts = [np.concatenate([p[..., :4]] * 2 + [p[..., 4:]] * 2, axis=-1) for p in parts]
        getattr(plain, name).set_weights(parts)
    found, expected = plain(x, x, x)
    np.testing.assert_allclose(output, found, atol=1e-6)
    np.testing.assert_allclose(weights, expected, atol=1e-6)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: RotaryAttention(6, 2), "must be even; received d_model=6"),
        (lambda: GroupedQueryAttention(9, 3), "received num_kv_heads=2, num_heads=3"),
        (lambda: Transformer(**SIZES, **VOCABULARIES, attention="rope"), "received 'rope'"),
        (lambda: Transformer(**SIZES, **VOCABULARIES, position_encoding="rope"), "'rope'"),
    ],
)
def test_variants_that_make_no_sense(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_a_copying_start_of_grouped_heads_copies_what_its_values_hold():
    network = build("grouped-query")
    initialise_mimetically(network)
    attention = network.decoder.dec_layers[0].mha2
    x = random(1, 6, 16)
    _, weights = attention(3 * x, 3 * x, 3 * x)
    assert np.trace(weights.numpy()[0].mean(0)) / 6 > 0.3  # of 1/6 by chance
    values = tf.repeat(attention.split_heads(attention.wv(x), 1), 2, axis=1)
    copied = attention.dense(tf.reshape(tf.transpose(values, [0, 2, 1, 3]), x.shape))
    np.testing.assert_allclose(attention.wv(copied), attention.wv(x), atol=1e-5)


def test_sublayers_that_say_nothing_leave_a_pre_norm_stack_as_it_is():
    encoder = build("pre-norm").encoder
    (layer,) = encoder.enc_layers
    for dense in (layer.mha.dense, layer.ffn.layers[1]):
        dense.kernel.assign(0 * dense.kernel)
    x = encoder.embed(INP)
    np.testing.assert_array_equal(layer(x)[0], x)
    normalised = keras.layers.LayerNormalization(epsilon=1e-6)(x)
    np.testing.assert_allclose(encoder(INP)[0], normalised, atol=1e-5)


def test_gelu_is_x_times_phi_of_x():
    ffn = build("gelu").decoder.dec_layers[0].ffn
    x = random(3, 16)
    hidden = ffn.layers[0].kernel.numpy()
    phi = 0.5 * (1 + tf.math.erf(x @ hidden / 2**0.5))
    np.testing.assert_allclose(ffn.layers[0](x), (x @ hidden) * phi, atol=1e-5)
