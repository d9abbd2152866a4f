import keras
import numpy as np
import pytest
import tensorflow as tf

from tests.support.layer_check import check_layer
from tests.support.reference import Reference
from tf_models.errors import InputError
from tf_models.transformer.model import Decoder, Encoder, Transformer

SIZES = {
    "num_layers": 2,
    "d_model": 16,
    "num_heads": 4,
    "dff": 32,
    "input_vocab_size": 20,
    "target_vocab_size": 30,
    "pe_input": 12,
    "pe_target": 13,
}
INP = tf.constant([[18, 3, 4, 5, 6, 19], [18, 7, 8, 19, 0, 0]])
TAR = tf.constant([[28, 3, 4, 29, 0], [28, 5, 6, 7, 29]])


@pytest.fixture
def model():
    keras.utils.set_random_seed(1)
    model = Transformer(**SIZES)
    model.build()
    for weight in model.trainable_variables:  # biases and norms too, or they would not be tested
        weight.assign(weight + 0.3 * np.random.default_rng(0).normal(size=weight.shape))
    return model


def test_logits_and_weights_are_those_of_the_paper(model):
    logits, weights = model(INP, TAR)
    assert logits.shape == (2, 5, 30)
    for i, (inp_len, tar_len) in enumerate([(6, 4), (4, 5)]):
        reference = Reference(model)
        expected = reference.logits(INP[i, :inp_len].numpy(), TAR[i, :tar_len].numpy())

        np.testing.assert_allclose(logits[i, :tar_len], expected, atol=2e-5)
        assert weights.keys() == reference.weights.keys()
        for name, expected_weights in reference.weights.items():
            rows, columns = expected_weights.shape[1:]
            np.testing.assert_allclose(
                weights[name][i, :, :rows, :columns], expected_weights, atol=2e-5
            )


def test_masks_given_and_masks_left_out_are_the_same(model):
    from tf_models.transformer.masks import create_masks

    enc_padding_mask, combined_mask, dec_padding_mask = create_masks(INP, TAR)
    given, _ = model(
        INP,
        TAR,
        training=False,
        enc_padding_mask=enc_padding_mask,
        look_ahead_mask=combined_mask,
        dec_padding_mask=dec_padding_mask,
    )
    np.testing.assert_array_equal(given, model(INP, TAR)[0])


def test_padding_changes_nothing(model):
    """Row 15: redundant rows and columns kv_cache the end do no harm."""
    padded, _ = model(tf.pad(INP, [[0, 0], [0, 4]]), tf.pad(TAR, [[0, 0], [0, 3]]))

    np.testing.assert_allclose(padded[:, :5], model(INP, TAR)[0], atol=1e-5)


def test_the_future_changes_nothing(model):
    changed = tf.concat([TAR[:, :3], [[9, 9], [9, 9]]], axis=1)

    np.testing.assert_allclose(model(INP, changed)[0][:, :3], model(INP, TAR)[0][:, :3], atol=1e-6)


def test_decoder_self_attention_is_lower_triangular(model):
    _, weights = model(INP, TAR)

    assert np.triu(weights["decoder_layer2_block1"][1, 0], k=1).max() == 0


def test_parameters_do_not_depend_on_length():
    """Row 9."""
    short, long = Transformer(**SIZES), Transformer(**{**SIZES, "pe_input": 500, "pe_target": 900})
    short.build()
    long.build()

    assert short.count_params() == long.count_params()


def test_mixed_precision_gives_float32_logits():
    keras.config.set_dtype_policy("mixed_bfloat16")
    try:
        logits, weights = Transformer(**SIZES)(INP, TAR)
    finally:
        keras.config.set_dtype_policy("float32")

    assert logits.dtype == tf.float32
    np.testing.assert_allclose(tf.reduce_sum(weights["encoder_layer1"], axis=-1), 1, atol=1e-5)
    assert np.isfinite(logits).all()


def test_a_mixed_model_is_loaded_as_one(tmp_path):
    mixed = Transformer(**SIZES, dtype="mixed_bfloat16")
    logits, _ = mixed(INP, TAR)
    mixed.save(tmp_path / "mixed.keras")
    loaded = keras.models.load_model(tmp_path / "mixed.keras")

    assert loaded.encoder.enc_layers[0].mha.wq.compute_dtype == "bfloat16"
    assert loaded.decoder.dec_layers[1].ffn.layers[0].compute_dtype == "bfloat16"
    np.testing.assert_array_equal(loaded(INP, TAR)[0], logits)


def test_encoder_and_decoder_alone(tmp_path):
    """The tutorial's sample_encoder and sample_decoder."""
    arguments = {
        "num_layers": 2,
        "d_model": 16,
        "num_heads": 4,
        "dff": 32,
        "vocab_size": 20,
        "maximum_position_encoding": 12,
        "rate": 0.2,
    }
    maps = [(2, 4, 6, 6)] * 2
    check_layer(Encoder, arguments, (INP,), [(2, 6, 16), *maps], 33, tmp_path)
    memory = tf.ones((2, 5, 16))
    maps = [(2, 4, 6, 6), (2, 4, 6, 5)] * 2
    check_layer(Decoder, arguments, (INP, memory), [(2, 6, 16), *maps], 53, tmp_path)


TIED = {**SIZES, "input_vocab_size": 30, "tie_embeddings": True}


def test_tied_embeddings_are_one_table(tmp_path):
    model, untied = Transformer(**TIED), Transformer(**{**TIED, "tie_embeddings": False})
    model.build()
    untied.build()
    logits, _ = model(INP, TAR)
    states, _ = model.decoder_states(INP, TAR)
    table = model.encoder.embedding.embeddings

    assert model.decoder.embedding.embeddings is table
    assert untied.count_params() - model.count_params() == 2 * 30 * 16
    np.testing.assert_allclose(logits, tf.matmul(states, table.numpy().T), atol=1e-5)
    table.assign(table + 1)
    assert not np.allclose(model(INP, TAR)[0], logits)


def test_a_tied_model_is_saved_and_loaded(tmp_path):
    model = Transformer(**TIED)
    model.build()
    model.final_layer.bias.assign(np.arange(30))
    model.save(tmp_path / "tied.keras")
    loaded = keras.models.load_model(tmp_path / "tied.keras")

    np.testing.assert_array_equal(loaded(INP, TAR)[0], model(INP, TAR)[0])
    assert loaded.decoder.embedding is loaded.encoder.embedding


def test_two_vocabularies_cannot_be_tied():
    with pytest.raises(InputError, match="input_vocab_size=20, target_vocab_size=30"):
        Transformer(**{**SIZES, "tie_embeddings": True})
