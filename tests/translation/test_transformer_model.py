import numpy as np
import pytest
import tensorflow as tf

INP = tf.constant([[5, 6, 7, 8, 0, 0], [5, 6, 7, 8, 9, 10]])


@pytest.mark.parametrize("hypotheses", [1, 3])
def test_cached_logits_equal_those_of_the_whole_sentence(random_translator, hypotheses):
    """Hypotheses of one sentence share its memory: three times two sentences, or once."""
    tar = tf.constant(
        [[3, 4, 5, 6], [5, 6, 7, 8], [7, 8, 3, 4], [9, 5, 9, 5], [8, 3, 8, 3], [4] * 4]
    )
    tar = tar[: 2 * hypotheses]
    whole, _ = random_translator.model.network(tf.repeat(INP, hypotheses, axis=0), tar)
    vocabulary = whole.shape[-1]

    model = random_translator.model
    weights, memory = model.weights(suppressed_ids=(0,)), model.encode(INP)
    caches = model.initial_state(memory)
    kv_caches = tf.nest.map_structure(lambda cache: tf.repeat(cache, hypotheses, axis=1), caches)
    for i in range(4):
        newest = tf.reshape(tar[:, i], (2, hypotheses))
        logits, kv_caches = model.step(newest, memory, kv_caches, *weights)
        rows = tf.reshape(logits[:, :, 1:vocabulary], (-1, vocabulary - 1))
        np.testing.assert_allclose(rows, whole[:, i, 1:], atol=1e-5)


def test_suppressed_ids_have_no_probability(random_translator):
    model = random_translator.model
    memory = model.encode(INP)
    weights = model.weights(suppressed_ids=(0, 2))
    state = model.initial_state(memory)
    logits, _ = model.step(tf.constant([[2], [2]]), memory, state, *weights)
    probabilities = tf.nn.softmax(logits).numpy()
    possible = [1, *range(3, model.network.get_config()["target_vocab_size"])]

    assert (probabilities[:, :, possible] > 0).all()
    assert (np.delete(probabilities, possible, axis=2) == 0).all()
