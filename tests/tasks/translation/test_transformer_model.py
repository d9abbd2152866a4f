import numpy as np
import pytest
import tensorflow as tf

from tf_models.tasks.translation.settings import TransformerSettings
from tf_models.tasks.translation.transformer_model import build_transformer
from tf_models.transformer.variants import NETWORKS, ORIGINAL

SMALL = TransformerSettings(num_layers=1, d_model=16, num_heads=4, dff=32, positions=42)
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
    step, memory = model.step(suppressed_ids=(0,)), model.encode(INP)
    kv_caches = model.initial_state(memory, hypotheses)
    for i in range(4):
        logits, kv_caches = step(tf.reshape(tar[:, i], (2, hypotheses)), memory, kv_caches)
        rows = tf.reshape(logits[:, :, 1:vocabulary], (-1, vocabulary - 1))
        np.testing.assert_allclose(rows, whole[:, i, 1:], atol=1e-5)


def test_what_must_never_be_chosen_has_no_probability(random_translator):
    model = random_translator.model
    memory = model.encode(INP)
    step = model.step(suppressed_ids=(0, 2))
    logits, _ = step(tf.constant([[2], [2]]), memory, model.initial_state(memory, 1))
    probabilities = tf.nn.softmax(logits).numpy()
    vocabulary = model.network.get_config()["target_vocab_size"]
    possible = [1, *range(3, vocabulary)]

    assert (probabilities[:, :, possible] > 0).all()
    assert (np.delete(probabilities, possible, axis=2) == 0).all()


@pytest.mark.parametrize("network", [ORIGINAL, *NETWORKS])
def test_a_window_of_fixed_length_gives_the_same_logits(random_translator, network):
    """Positions, masks and caches of each network: the window is longer than what is in it."""
    model = build_transformer(SMALL, random_translator.tokenizers, "float32", network)
    memory = model.encode(INP)
    step, windowed = model.step((0, 2)), model.step_in_window((0, 2))
    state, window = model.initial_state(memory, 1), model.empty_window(memory, 7)
    for newest in ([[2], [2]], [[5], [6]], [[7], [7]], [[4], [9]]):
        logits, state = step(tf.constant(newest), memory, state)
        found, window = windowed(tf.constant(newest), memory, window)
        vocabulary = found.shape[-1]
        np.testing.assert_allclose(found, logits[:, :, :vocabulary], atol=1e-5)
    assert window.filled == 4
