"""Greedy search: always the most probable next id."""

from typing import NamedTuple

import tensorflow as tf

from tf_models.ids import PADDING_ID
from tf_models.search.search import Hypotheses, Nested, StepFunction, count_sentences
from tf_models.search.top_k import best_continuations


class Greedy(NamedTuple):
    """State of a greedy search: ids (batch, len) with the start id, log_probs and ended (batch,);
    memory and state are the model's.
    """

    ids: tf.Tensor
    log_probs: tf.Tensor
    ended: tf.Tensor
    memory: Nested
    state: Nested


class GreedySearch:
    """Always the most probable next id.

    Args:
        step: the model, see `search`; its state has one hypothesis for each sentence.
        start_id, end_id: ids that open and close a sentence.
        longest: most ids a result may have, the end id included.
    """

    def __init__(self, step: StepFunction, *, start_id: int, end_id: int, longest: int | tf.Tensor):
        self._step, self._start_id, self._end_id = step, start_id, end_id
        self.longest = longest

    def start(self, memory: Nested, state: Nested) -> Greedy:
        """The start id alone."""
        batch = count_sentences(memory, state)
        return Greedy(
            ids=tf.fill((batch, 1), self._start_id),
            log_probs=tf.zeros((batch,)),
            ended=tf.zeros((batch,), tf.bool),
            memory=memory,
            state=state,
        )

    def advance(self, greedy: Greedy) -> Greedy:
        """Append the best id to sentences that have not ended, padding to the others."""
        logits, state = self._step(greedy.ids[:, -1:], greedy.memory, greedy.state)
        gains, _, best = best_continuations(logits, tf.zeros(tf.shape(logits)[:2]), 1)
        newest = tf.where(greedy.ended, PADDING_ID, best[:, 0])  # (batch,)
        return Greedy(
            ids=tf.concat([greedy.ids, newest[:, tf.newaxis]], axis=1),
            log_probs=greedy.log_probs + tf.where(greedy.ended, 0.0, gains[:, 0]),
            ended=greedy.ended | (newest == self._end_id),
            memory=greedy.memory,
            state=state,
        )

    def done(self, greedy: Greedy) -> tf.Tensor:
        """Whether a sentence has ended, (batch,)."""
        return greedy.ended

    def length(self, greedy: Greedy) -> tf.Tensor:
        """Ids behind the start id."""
        return tf.shape(greedy.ids)[1] - 1

    def hypotheses(self, greedy: Greedy) -> Hypotheses:
        """The one result of each sentence."""
        return Hypotheses(greedy.ids[:, tf.newaxis, 1:], greedy.log_probs[:, tf.newaxis])
