"""Greedy search for XLA: one sentence, in a loop whose tensors keep their shapes."""

from typing import Any

import tensorflow as tf

from tf_models.search.search import Hypotheses, Nested, StepFunction


def greedy_in_fixed_shapes(
    step: StepFunction,
    memory: Nested,
    state: Nested,
    *,
    start_id: int,
    end_id: int,
    max_length: int,
) -> Hypotheses:
    """What `GreedySearch` finds for one sentence: (1, 1, max_length) ids, padded behind the end id.

    Args:
        step: the model, see `tf_models.search.search`; shapes of its state stay.
        memory, state: of one sentence with one hypothesis.
        start_id, end_id: ids that open and close a sentence.
        max_length: most ids of the result, the end id included.
    """
    places = tf.range(max_length + 1)

    def going_on(length: tf.Tensor, newest: tf.Tensor, *_: Any) -> tf.Tensor:
        return (length < max_length) & (newest != end_id)

    def advance(
        length: tf.Tensor, newest: tf.Tensor, ids: tf.Tensor, log_prob: tf.Tensor, state: Nested
    ) -> tuple[Any, ...]:
        logits, state = step(tf.reshape(newest, (1, 1)), memory, state)
        log_probs = tf.nn.log_softmax(logits[0, 0])  # (vocabulary,)
        newest = tf.argmax(log_probs, output_type=tf.int32)
        ids = tf.where(places == length + 1, newest, ids)
        # Not log_probs[newest]: XLA would compile the search for each sentence anew.
        return length + 1, newest, ids, log_prob + tf.gather(log_probs, newest), state

    ids = tf.where(places == 0, start_id, 0)  # (max_length + 1,)
    _, _, ids, log_prob, _ = tf.while_loop(going_on, advance, (0, start_id, ids, 0.0, state))
    return Hypotheses(ids[tf.newaxis, tf.newaxis, 1:], log_prob[tf.newaxis, tf.newaxis])
