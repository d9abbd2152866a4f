"""Greedy and beam search over any model, given as `step(ids, state) -> (logits, state)`.

A step takes the newest id of each hypothesis, (rows,), and a nested structure of tensors that
stand row for row with the hypotheses; it returns logits (rows, vocabulary) and the new state.

A search has three methods: `start(state)`, `advance(search_state)` (one token more) and
`going_on(search_state)`. `run` drives it inside a graph; `watch` yields every state on the way.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import tensorflow as tf

from tf_models.ids import PADDING_ID

State = object  # nested tensors, (rows, ...) each
StepFunction = Callable[[tf.Tensor, State], tuple[tf.Tensor, State]]

IMPOSSIBLE = -1e9  # log-probability of what must not be chosen


class Hypotheses(NamedTuple):
    """Results of a search, best first.

    ids: (batch, n, len), after the start id, padded behind the end id.
    scores: (batch, n), log-probability in nats, divided by the length penalty.
    """

    ids: tf.Tensor
    scores: tf.Tensor


def run(search: "GreedySearch | BeamSearch", state: State) -> Hypotheses:
    """Search to the end in one graph loop."""
    loop_state = search.start(state)
    (loop_state,) = tf.while_loop(
        search.going_on,
        lambda current: (search.advance(current),),
        (loop_state,),
        shape_invariants=(tf.nest.map_structure(_any_shape, loop_state),),
    )
    return search.hypotheses(loop_state)


def watch(search: "GreedySearch | BeamSearch", state: State) -> Iterator:
    """Yield the state of the search after each token; for readers, not for speed."""
    loop_state = search.start(state)
    while search.going_on(loop_state):
        loop_state = search.advance(loop_state)
        yield loop_state


class Greedy(NamedTuple):
    """State of a greedy search: ids (rows, len) with the start id, log_probs and ended (rows,)."""

    ids: tf.Tensor
    log_probs: tf.Tensor
    ended: tf.Tensor
    state: State


class GreedySearch:
    """Always the most probable next id.

    Args:
        step: the model.
        batch: number of sentences; the state has one row for each.
        start_id, end_id: ids that open and close a sentence.
        longest: most ids a result may have, the end id included.
    """

    def __init__(
        self,
        step: StepFunction,
        batch: int | tf.Tensor,
        *,
        start_id: int,
        end_id: int,
        longest: int | tf.Tensor,
    ):
        self._step, self._batch, self._longest = step, batch, longest
        self._start_id, self._end_id = start_id, end_id

    def start(self, state: State) -> Greedy:
        """The start id alone."""
        return Greedy(
            ids=tf.fill((self._batch, 1), self._start_id),
            log_probs=tf.zeros((self._batch,)),
            ended=tf.zeros((self._batch,), tf.bool),
            state=state,
        )

    def advance(self, greedy: Greedy) -> Greedy:
        """Append the best id to sentences that have not ended, padding to the others."""
        logits, state = self._step(greedy.ids[:, -1], greedy.state)
        log_probs = _log_probabilities(logits, self._start_id)  # (rows, vocabulary)
        best = tf.argmax(log_probs, axis=-1, output_type=tf.int32)  # (rows,)
        best = tf.where(greedy.ended, PADDING_ID, best)
        gain = tf.where(greedy.ended, 0.0, tf.reduce_max(log_probs, axis=-1))
        return Greedy(
            ids=tf.concat([greedy.ids, best[:, tf.newaxis]], axis=1),
            log_probs=greedy.log_probs + gain,
            ended=greedy.ended | (best == self._end_id),
            state=state,
        )

    def going_on(self, greedy: Greedy) -> tf.Tensor:
        """Whether a sentence still grows (a scalar)."""
        return ~tf.reduce_all(greedy.ended) & (tf.shape(greedy.ids)[1] <= self._longest)

    def hypotheses(self, greedy: Greedy) -> Hypotheses:
        """The one result of each sentence."""
        return Hypotheses(greedy.ids[:, tf.newaxis, 1:], greedy.log_probs[:, tf.newaxis])


class Beams(NamedTuple):
    """State of a beam search.

    alive_ids: (batch, beam, len), growing, with the start id; alive_log_probs: (batch, beam).
    ended_ids: (batch, beam, len), padded; ended_scores: (batch, beam), IMPOSSIBLE where empty.
    done: (batch,), whether nothing alive can displace what has ended.
    state: the model's, (batch * beam, ...).
    """

    alive_ids: tf.Tensor
    alive_log_probs: tf.Tensor
    ended_ids: tf.Tensor
    ended_scores: tf.Tensor
    done: tf.Tensor
    state: State


class BeamSearch:
    """Keep the `beam_size` best hypotheses of each sentence at every length.

    Ended hypotheses are compared by log P(Y) / lp(Y), lp(Y) = ((5 + |Y|) / 6)^alpha
    (Wu et al. 2016, equation 14). A sentence is done when `beam_size` hypotheses have ended and the
    best one alive scores no better than the worst of them.

    Args:
        step: the model.
        batch: number of sentences; the state has `beam_size` rows for each.
        beam_size: hypotheses kept.
        length_penalty: alpha; 0 compares plain log-probabilities.
        start_id, end_id: ids that open and close a sentence.
        longest: most ids a result may have, the end id included.
    """

    def __init__(
        self,
        step: StepFunction,
        batch: int | tf.Tensor,
        *,
        beam_size: int,
        length_penalty: float,
        start_id: int,
        end_id: int,
        longest: int | tf.Tensor,
    ):
        self._step, self._batch, self._beam = step, batch, beam_size
        self._alpha, self._longest = length_penalty, longest
        self._start_id, self._end_id = start_id, end_id

    def start(self, state: State) -> Beams:
        """One live hypothesis, the start id; its copies are impossible until they differ."""
        shape = (self._batch, self._beam)
        first = tf.one_hot(tf.zeros((self._batch,), tf.int32), self._beam, 0.0, IMPOSSIBLE)
        return Beams(
            alive_ids=tf.fill((*shape, 1), self._start_id),
            alive_log_probs=first,
            ended_ids=tf.fill((*shape, 1), PADDING_ID),
            ended_scores=tf.fill(shape, IMPOSSIBLE),
            done=tf.zeros((self._batch,), tf.bool),
            state=state,
        )

    def advance(self, beams: Beams) -> Beams:
        """Grow every live hypothesis by one id and keep the best of all."""
        newest = tf.reshape(beams.alive_ids[:, :, -1], (-1,))  # (batch * beam,)
        logits, state = self._step(newest, beams.state)
        parents, ids, log_probs = self._candidates(beams, logits)
        ends = ids[:, :, -1] == self._end_id  # (batch, 2 * beam)
        ended_ids, ended_scores = self._collect_ended(beams, ids, log_probs, ends)

        alive_log_probs, kept = tf.nn.top_k(tf.where(ends, IMPOSSIBLE, log_probs), self._beam)
        length = tf.shape(ids)[2] - 1
        best_alive = alive_log_probs[:, 0] / self._penalty(length)
        return Beams(
            alive_ids=tf.gather(ids, kept, batch_dims=1),
            alive_log_probs=alive_log_probs,
            ended_ids=ended_ids,
            ended_scores=ended_scores,
            done=beams.done | (ended_scores[:, -1] >= best_alive),
            state=self._reorder(state, tf.gather(parents, kept, batch_dims=1)),
        )

    def going_on(self, beams: Beams) -> tf.Tensor:
        """Whether a sentence is not done (a scalar)."""
        return ~tf.reduce_all(beams.done) & (tf.shape(beams.alive_ids)[2] <= self._longest)

    def hypotheses(self, beams: Beams) -> Hypotheses:
        """What has ended, best first; behind it, what was still alive at the greatest length."""
        length = tf.shape(beams.alive_ids)[2] - 1
        alive_scores = beams.alive_log_probs / self._penalty(length)
        alive_ranks = alive_scores + IMPOSSIBLE / 2  # behind every hypothesis that has ended
        _, best = tf.nn.top_k(tf.concat([beams.ended_scores, alive_ranks], axis=1), self._beam)
        ids = tf.concat([beams.ended_ids, beams.alive_ids], axis=1)
        scores = tf.concat([beams.ended_scores, alive_scores], axis=1)
        return Hypotheses(
            tf.gather(ids, best, batch_dims=1)[:, :, 1:], tf.gather(scores, best, batch_dims=1)
        )

    def _penalty(self, length: tf.Tensor) -> tf.Tensor:
        return tf.pow((5.0 + tf.cast(length, tf.float32)) / 6.0, self._alpha)

    def _candidates(self, beams: Beams, logits: tf.Tensor):
        """The 2 * beam best continuations: enough for `beam` that do not end."""
        log_probs = _log_probabilities(logits, self._start_id)  # (batch * beam, vocabulary)
        vocabulary = tf.shape(log_probs)[-1]
        totals = tf.reshape(log_probs, (self._batch, self._beam, -1))
        totals += beams.alive_log_probs[:, :, tf.newaxis]  # (batch, beam, vocabulary)
        best, flat = tf.nn.top_k(tf.reshape(totals, (self._batch, -1)), 2 * self._beam)
        parents, newest = flat // vocabulary, flat % vocabulary  # (batch, 2 * beam) each
        ids = tf.gather(beams.alive_ids, parents, batch_dims=1)
        return parents, tf.concat([ids, newest[:, :, tf.newaxis]], axis=2), best

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

    def _reorder(self, state: State, parents: tf.Tensor) -> State:
        rows = tf.range(self._batch)[:, tf.newaxis] * self._beam + parents  # (batch, beam)
        rows = tf.reshape(rows, (-1,))
        return tf.nest.map_structure(lambda tensor: tf.gather(tensor, rows), state)


def _log_probabilities(logits: tf.Tensor, start_id: int) -> tf.Tensor:
    """Log-softmax over what can follow: never padding, never a second start."""
    never = tf.reduce_max(tf.one_hot([PADDING_ID, start_id], tf.shape(logits)[-1]), axis=0)
    return tf.nn.log_softmax(tf.cast(logits, tf.float32) + never * IMPOSSIBLE, axis=-1)


def _any_shape(tensor: tf.Tensor) -> tf.TensorShape:
    return tf.TensorShape([None] * tensor.shape.rank)
