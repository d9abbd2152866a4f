"""Recurrent translators: what must hold whatever the weights are."""

import keras
import numpy as np
import pytest
import tensorflow as tf

from tf_models.errors import InputError
from tf_models.recurrent.translator import RecurrentTranslator, scaled

INP = np.array([[3, 4, 5, 0, 0], [3, 9, 5, 6, 7]], np.int32)
TAR = np.array([[1, 2, 3, 8], [4, 5, 6, 0]], np.int32)


def build(attends=True, **options):
    keras.utils.set_random_seed(0)
    model = RecurrentTranslator(20, 25, 8, 6, attends, **options)
    model.build()
    return model


@pytest.mark.parametrize("attends", [True, False])
def test_padding_changes_nothing(attends):
    model = build(attends)
    logits, weights = model(INP, TAR)
    padded, padded_weights = model(np.pad(INP, ((0, 0), (0, 5))), TAR)

    np.testing.assert_allclose(padded, logits, atol=1e-6)
    np.testing.assert_allclose(padded_weights[:, :, :5], weights, atol=1e-6)
    assert not np.any(padded_weights[:, :, 5:])


@pytest.mark.parametrize("attends", [True, False])
def test_step_by_step_is_as_all_at_once(attends):
    model = build(attends)
    outputs, weights = model.decoder_states(INP, TAR)
    source = model.read(INP)
    state = source.state[:, tf.newaxis]
    for i in range(TAR.shape[1]):
        x = scaled(model.decoder.embedding, TAR[:, i : i + 1])
        context, state, attended = model.decoder.step(x, state, source)
        output = model.decoder.output(state, context, x, training=False)
        np.testing.assert_allclose(output[:, 0], outputs[:, i], atol=1e-6)
        np.testing.assert_allclose(attended[:, 0], weights[:, i], atol=1e-6)


def test_an_annotation_knows_both_sides_of_its_word():
    model = build()
    changed_first, changed_last = INP.copy(), INP.copy()
    changed_first[1, 0], changed_last[1, 4] = 12, 12
    middle = [
        model.read(inp).annotations[1, 2].numpy() for inp in (INP, changed_first, changed_last)
    ]
    forwards, backwards = slice(0, 6), slice(6, 12)

    assert not np.allclose(middle[1][forwards], middle[0][forwards])
    np.testing.assert_array_equal(middle[1][backwards], middle[0][backwards])
    assert not np.allclose(middle[2][backwards], middle[0][backwards])
    np.testing.assert_array_equal(middle[2][forwards], middle[0][forwards])


def test_a_word_sees_none_that_come_after_it():
    model = build()
    changed = TAR.copy()
    changed[:, 2] = 11
    logits, other = (model(INP, tar)[0].numpy() for tar in (TAR, changed))

    np.testing.assert_array_equal(other[:, :2], logits[:, :2])
    assert not np.allclose(other[:, 2], logits[:, 2])


def test_with_attention_the_gradient_reaches_each_word_alone():
    """The annotations of a word that is masked get none; the summary only makes the first state."""
    model = build()
    annotations, states = model.encoder(INP)
    with tf.GradientTape() as tape:
        tape.watch(annotations)
        source = model.decoder.read(annotations, states, tf.constant([[0.0, 1, 1, 1, 1]] * 2))
        loss = tf.reduce_sum(model.decoder(TAR, source)[0])
    gradient = tape.gradient(loss, annotations).numpy()

    assert np.abs(gradient[:, 0]).min(axis=-1).all()
    assert not gradient[:, 1:].any()


def test_without_attention_one_vector_is_all_that_is_read():
    model = build(attends=False)
    source = model.read(INP)
    other = source._replace(annotations=tf.zeros_like(source.annotations))

    np.testing.assert_array_equal(model.decoder(TAR, other)[0], model.decoder(TAR, source)[0])
    assert not any("attention" in weight.path for weight in model.weights)


def test_tied_embeddings_are_one_table():
    model = RecurrentTranslator(20, 20, 8, 6, tie_embeddings=True)
    model.build()
    tables = [weight for weight in model.weights if weight.shape == (20, 8)]
    assert len(tables) == 1


def test_two_vocabularies_cannot_be_tied():
    with pytest.raises(InputError, match="one vocabulary; received 20 and 25 ids"):
        RecurrentTranslator(20, 25, tie_embeddings=True)
