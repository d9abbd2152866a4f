"""Beam search (Wu et al. 2016, section 7): the best hypotheses of each sentence at every length."""

from typing import NamedTuple

import tensorflow as tf

from tf_models.ids import PADDING_ID
from tf_models.search.search import Hypotheses, Nested, StepFunction, count_sentences
from tf_models.search.top_k import IMPOSSIBLE, best_continuations


class Beams(NamedTuple):
    """State of a beam search.

    alive_ids: (batch, beam, len), growing, with the start id; alive_log_probs: (batch, beam).
    ended_ids: (batch, beam, len), padded; ended_scores: (batch, beam), IMPOSSIBLE where empty.
    done: (batch,), whether the search of a sentence has stopped.
    memory, state: the model's.
    """

    alive_ids: tf.Tensor
    alive_log_probs: tf.Tensor
    ended_ids: tf.Tensor
    ended_scores: tf.Tensor
    done: tf.Tensor
    memory: Nested
    state: Nested


class BeamSearch:
    """Keep the `beam_size` best hypotheses of each sentence at every length.

    Ended hypotheses are compared by log P(Y) / lp(Y), lp(Y) = ((5 + |Y|) / 6)^alpha
    (Wu et al. 2016, equation 14). A sentence is done when `beam_size` hypotheses have ended and the
    best one alive, were it to end at its present length, would score no better than the worst of
    them. (With alpha above 0 it might score better later on, as lp grows; nobody waits for that.)

    Args:
        step: the model, see `search`; its state has `beam_size` hypotheses for each sentence.
        beam_size: hypotheses kept.
        length_penalty: alpha; 0 compares plain log-probabilities.
        start_id, end_id: ids that open and close a sentence.
        longest: most ids a result may have, the end id included.
    """

    def __init__(
        self,
        step: StepFunction,
        *,
        beam_size: int,
        length_penalty: float | tf.Tensor,
        start_id: int,
        end_id: int,
        longest: int | tf.Tensor,
    ):
        self._step, self._beam, self._alpha = step, beam_size, length_penalty
        self._start_id, self._end_id = start_id, end_id
        self.longest = longest

    def start(self, memory: Nested, state: Nested) -> Beams:
        """One live hypothesis, the start id; its copies are impossible until they differ."""
        batch = count_sentences(memory, state)
        shape = (batch, self._beam)
        first = tf.one_hot(tf.zeros((batch,), tf.int32), self._beam, 0.0, IMPOSSIBLE)
        return Beams(
            alive_ids=tf.fill((*shape, 1), self._start_id),
            alive_log_probs=first,
            ended_ids=tf.fill((*shape, 1), PADDING_ID),
            ended_scores=tf.fill(shape, IMPOSSIBLE),
            done=tf.zeros((batch,), tf.bool),
            memory=memory,
            state=state,
        )

    def advance(self, beams: Beams) -> Beams:
        """Grow every live hypothesis by one id and keep the best of all."""
        logits, state = self._step(beams.alive_ids[:, :, -1], beams.memory, beams.state)
        # The 2 * beam best, (batch, 2 * beam): enough for `beam` that do not end.
        log_probs, parents, newest = best_continuations(
            logits, beams.alive_log_probs, 2 * self._beam
        )
        ids = tf.gather(beams.alive_ids, parents, batch_dims=1)
        ids = tf.concat([ids, newest[:, :, tf.newaxis]], axis=2)  # (batch, 2 * beam, len)
        ends = newest == self._end_id
        ended_ids, ended_scores = self._collect_ended(beams, ids, log_probs, ends)

        alive_log_probs, kept = tf.nn.top_k(tf.where(ends, IMPOSSIBLE, log_probs), self._beam)
        parents = tf.gather(parents, kept, batch_dims=1)  # (batch, beam)
        best_alive = alive_log_probs[:, 0] / self._penalty(tf.shape(ids)[2] - 1)
        return Beams(
            alive_ids=tf.gather(ids, kept, batch_dims=1),
            alive_log_probs=alive_log_probs,
            ended_ids=ended_ids,
            ended_scores=ended_scores,
            done=beams.done | (ended_scores[:, -1] >= best_alive),
            memory=beams.memory,
            state=tf.nest.map_structure(lambda t: tf.gather(t, parents, batch_dims=1), state),
        )

    def done(self, beams: Beams) -> tf.Tensor:
        """Whether the search of a sentence has stopped, (batch,)."""
        return beams.done

    def length(self, beams: Beams) -> tf.Tensor:
        """Ids behind the start id."""
        return tf.shape(beams.alive_ids)[2] - 1

    def hypotheses(self, beams: Beams) -> Hypotheses:
        """What has ended, best first; behind it, what was still alive at the greatest length."""
        alive_scores = beams.alive_log_probs / self._penalty(self.length(beams))
        alive_ranks = alive_scores + IMPOSSIBLE / 2  # behind every hypothesis that has ended
        _, best = tf.nn.top_k(tf.concat([beams.ended_scores, alive_ranks], axis=1), self._beam)
        ids = tf.concat([beams.ended_ids, beams.alive_ids], axis=1)
        scores = tf.concat([beams.ended_scores, alive_scores], axis=1)
        return Hypotheses(
            tf.gather(ids, best, batch_dims=1)[:, :, 1:], tf.gather(scores, best, batch_dims=1)
        )

    def _penalty(self, length: tf.Tensor) -> tf.Tensor:
        return tf.pow((5.0 + tf.cast(length, tf.float32)) / 6.0, self._alpha)

    def _collect_ended(self, beams: Beams, ids, log_probs, ends):
        """Merge candidates that end into those that have; only the first `beam` may end."""
        may_end = tf.range(2 * self._beam) < self._beam
        counts = ends & may_end & ~beams.done[:, tf.newaxis]  # (batch, 2 * beam)
        scores = log_probs / self._penalty(tf.shape(ids)[2] - 1)
        scores = tf.where(counts, scores, IMPOSSIBLE)
        padded = tf.pad(beams.ended_ids, [[0, 0], [0, 0], [0, 1]], constant_values=PADDING_ID)
        all_ids = tf.concat([padded, ids], axis=1)  # (batch, 3 * beam, len)
        ended_scores, best = tf.nn.top_k(
            tf.concat([beams.ended_scores, scores], axis=1), self._beam
        )
        return tf.gather(all_ids, best, batch_dims=1), ended_scores
