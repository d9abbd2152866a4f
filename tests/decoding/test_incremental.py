import numpy as np
import tensorflow as tf

from tf_models.decoding.incremental import empty_pasts, transformer_step

INP = tf.constant([[5, 6, 7, 8, 0, 0], [5, 6, 7, 8, 9, 10]])


def test_cached_logits_equal_those_of_the_whole_sentence(translator):
    tar = tf.constant([[3, 4, 5, 6, 7], [8, 9, 10, 11, 12]])
    whole, _ = translator.model(INP, tar)

    step, pasts = transformer_step(translator.model, INP), empty_pasts(translator.model, 2)
    for i in range(5):
        logits, pasts = step(tar[:, i], pasts)
        np.testing.assert_allclose(logits, whole[:, i], atol=1e-5)


def test_hypotheses_of_one_sentence_share_its_memory(translator):
    """Three hypotheses each: rows 0-2 belong to the first sentence, 3-5 to the second."""
    tar = tf.constant([[3, 4], [5, 6], [7, 8], [9, 10], [11, 12], [13, 14]])
    whole, _ = translator.model(tf.repeat(INP, 3, axis=0), tar)

    step, pasts = transformer_step(translator.model, INP), empty_pasts(translator.model, 6)
    for i in range(2):
        logits, pasts = step(tar[:, i], pasts)
        np.testing.assert_allclose(logits, whole[:, i], atol=1e-5)
