import keras
import numpy as np
import pytest
import tensorflow as tf

from tf_models.recurrent.sequence_autoencoder import SequenceAutoencoder

START, END = 8, 9
SENTENCES = tf.constant([[START, 3, 4, END, 0], [START, 5, 6, 7, END], [START, 2, END, 0, 0]])


@pytest.fixture(autouse=True)
def seed():
    keras.utils.set_random_seed(0)


@pytest.fixture(params=[False, True], ids=["one direction", "both directions"])
def model(request):
    return SequenceAutoencoder(10, embedding_dim=6, units=16, bidirectional=request.param)


def test_padding_changes_no_code(model):
    padded = tf.pad(SENTENCES, [(0, 0), (0, 3)])
    for one, other in zip(model.encode(SENTENCES), model.encode(padded), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-6)


def test_the_code_is_all_that_the_decoder_knows(model):
    """Two sentences that share what was written so far differ by their codes alone."""
    logits = model(SENTENCES, tf.constant([[START], [START], [START]]))
    assert not np.allclose(logits[0], logits[1])
    h, c = model.encode(SENTENCES)
    same, _ = model.decode(
        tf.constant([[START], [START]]), [tf.stack([h[0]] * 2), tf.stack([c[0]] * 2)]
    )
    np.testing.assert_array_equal(same[0], same[1])


def test_step_by_step_is_all_at_once(model):
    """Teacher forcing in one go gives the logits of one token after the other."""
    states = model.encode(SENTENCES)
    whole = model(SENTENCES, SENTENCES[:, :-1])
    for i in range(4):
        logits, states = model.decode(SENTENCES[:, i : i + 1], states)
        np.testing.assert_allclose(logits[:, 0], whole[:, i], atol=1e-5)


@pytest.mark.slow
def test_it_learns_to_write_what_it_read(model):
    model.compile(keras.optimizers.Adam(0.02))
    history = model.fit(SENTENCES, SENTENCES, epochs=80, verbose=0).history

    assert history["loss"][-1] < 0.1
    assert history["accuracy"][-1] == 1


def test_padding_does_not_count(model):
    model.compile(keras.optimizers.SGD(0.0))
    plain = model.evaluate(SENTENCES, SENTENCES, verbose=0, return_dict=True)
    padded = tf.pad(SENTENCES, [(0, 0), (0, 3)])
    assert model.evaluate(padded, padded, verbose=0, return_dict=True) == pytest.approx(plain)
