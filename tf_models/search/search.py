"""Greedy and beam search over a step function, and the loop that drives them.

A model is a function `step(ids, memory, state) -> (logits, state)`: ids (batch, n) are the newest
ids of n hypotheses for each sentence, logits (batch, n, vocabulary) those of the next one.
`memory` is what the model knows of the sentences, nested tensors (batch, ...); `state` what it
remembers of the hypotheses, nested tensors (batch, n, ...).

`run` drives a `Search` inside a graph; `watch` yields every state on the way.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

import tensorflow as tf

from tf_models.ids import PADDING_ID
from tf_models.search.top_k import IMPOSSIBLE, top_k_continuations

Nested = Any  # nested tensors
StepFunction = Callable[[tf.Tensor, Nested, Nested], tuple[tf.Tensor, Nested]]

# Sentences that are done leave the batch when they are this share of it: to leave costs a copy of
# all others' states, to stay costs their computation.
COMPACTION_THRESHOLD = 1 / 8


class Hypotheses(NamedTuple):
    """Results of a search, best first.

    ids: (batch, n, len), after the start id, padded behind the end id.
    scores: (batch, n), log-probability in nats, divided by the length penalty.
    """

    ids: tf.Tensor
    scores: tf.Tensor


class Search(Protocol):
    """A way to search; its own state is nested tensors, (batch, ...) each.

    max_length: most ids a result may have, the end id included.
    """

    max_length: int | tf.Tensor

    def start(self, memory: Nested, state: Nested) -> Nested:
        """The search's state before the first id."""

    def advance(self, current: Nested) -> Nested:
        """One id more."""

    def done(self, current: Nested) -> tf.Tensor:
        """Whether a sentence needs no more, (batch,)."""

    def length(self, current: Nested) -> tf.Tensor:
        """Ids that each hypothesis has now, behind the start id: a scalar int32."""

    def hypotheses(self, current: Nested) -> Hypotheses:
        """The results."""


class Greedy(NamedTuple):
    """State of a greedy search.

    ids: (batch, len), with the start id.
    log_probs, ended: (batch,).
    memory, state: the model's.
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
        max_length: most ids a result may have, the end id included.
    """

    def __init__(
        self, step: StepFunction, *, start_id: int, end_id: int, max_length: int | tf.Tensor
    ):
        self._step, self._start_id, self._end_id = step, start_id, end_id
        self.max_length = max_length

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
        gains, _, best = top_k_continuations(logits, tf.zeros(tf.shape(logits)[:2]), 1)
        newest = tf.where(greedy.ended, PADDING_ID, best[:, 0])  # (batch,)
        return greedy._replace(
            ids=tf.concat([greedy.ids, newest[:, tf.newaxis]], axis=1),
            log_probs=greedy.log_probs + tf.where(greedy.ended, 0.0, gains[:, 0]),
            ended=greedy.ended | (newest == self._end_id),
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
        max_length: most ids a result may have, the end id included.

    Example:
        >>> def step(ids, memory, state):  # the next id is one more, most probably
        ...     return 9 * tf.one_hot(ids + 1, depth=5), state
        >>> ends = {"start_id": 1, "end_id": 4, "max_length": 9}
        >>> search = BeamSearch(step, beam_size=2, length_penalty=0.6, **ends)
        >>> found = run(search, memory=tf.zeros((1, 1)), state=tf.zeros((1, 2, 1)))
        >>> print(found.ids[0, 0, :3].numpy())
        [2 3 4]
    """

    def __init__(
        self,
        step: StepFunction,
        *,
        beam_size: int,
        length_penalty: float | tf.Tensor,
        start_id: int,
        end_id: int,
        max_length: int | tf.Tensor,
    ):
        self._step, self._beam, self._alpha = step, beam_size, length_penalty
        self._start_id, self._end_id = start_id, end_id
        self.max_length = max_length

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
        log_probs, parents, newest = top_k_continuations(
            logits, beams.alive_log_probs, 2 * self._beam
        )
        ids = tf.gather(beams.alive_ids, parents, batch_dims=1)
        ids = tf.concat([ids, newest[:, :, tf.newaxis]], axis=2)  # (batch, 2 * beam, len)
        ends = newest == self._end_id
        ended_ids, ended_scores = self._collect_ended(beams, ids, log_probs, ends)

        alive_log_probs, kept = tf.nn.top_k(tf.where(ends, IMPOSSIBLE, log_probs), self._beam)
        parents = tf.gather(parents, kept, batch_dims=1)  # (batch, beam)
        best_alive = alive_log_probs[:, 0] / self._penalty(tf.shape(ids)[2] - 1)
        return beams._replace(
            alive_ids=tf.gather(ids, kept, batch_dims=1),
            alive_log_probs=alive_log_probs,
            ended_ids=ended_ids,
            ended_scores=ended_scores,
            done=beams.done | (ended_scores[:, -1] >= best_alive),
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

    def _collect_ended(
        self, beams: Beams, ids: tf.Tensor, log_probs: tf.Tensor, ends: tf.Tensor
    ) -> tuple[tf.Tensor, tf.Tensor]:
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


class _Running(NamedTuple):
    """current: the search's state for the sentences that are left; places: theirs in the batch,
    (left,); found: the results so far of all, (batch, n, max_length) and (batch, n).
    """

    current: Nested
    places: tf.Tensor
    found: Hypotheses


def run(search: Search, memory: Nested, state: Nested) -> Hypotheses:
    """Search to the end in one graph loop, with the model's `memory` and its first `state`."""
    current = search.start(memory, state)
    ids, scores = search.hypotheses(current)
    nothing = tf.fill((*tf.unstack(tf.shape(ids)[:2]), search.max_length), PADDING_ID)
    places = tf.range(count_sentences(memory, state))
    running = _Running(current, places, Hypotheses(nothing, scores))
    any_shape = tf.nest.map_structure(lambda t: tf.TensorShape([None] * t.shape.rank), running)
    (running,) = tf.while_loop(
        lambda running: _going_on(search, running.current),
        lambda running: (_advance(search, running),),
        (running,),
        shape_invariants=(any_shape,),
    )
    length = search.length(running.current)
    found = _write(search, running, tf.range(tf.size(running.places))).found
    return Hypotheses(found.ids[:, :, :length], found.scores)


def watch(search: Search, memory: Nested, state: Nested) -> Iterator:
    """Yield the state of the search after each id; for readers, not for speed."""
    current = search.start(memory, state)
    while _going_on(search, current):
        current = search.advance(current)
        yield current


def count_sentences(*nested: Nested) -> tf.Tensor:
    """The first axis that all tensors share, a scalar int32."""
    return tf.shape(tf.nest.flatten(nested)[0])[0]


def _going_on(search: Search, current: Nested) -> tf.Tensor:
    return ~tf.reduce_all(search.done(current)) & (search.length(current) < search.max_length)


def _advance(search: Search, running: _Running) -> _Running:
    """One id more. Sentences that are done then leave: nothing more is computed for them."""
    running = running._replace(current=search.advance(running.current))
    done = search.done(running.current)
    share = tf.reduce_mean(tf.cast(done, tf.float32))

    def leave() -> _Running:
        going = _where(~done)
        left = tf.nest.map_structure(lambda tensor: tf.gather(tensor, going), running.current)
        written = _write(search, running, _where(done))
        return _Running(left, tf.gather(running.places, going), written.found)

    return tf.cond(share >= COMPACTION_THRESHOLD, leave, lambda: running)


def _write(search: Search, running: _Running, rows: tf.Tensor) -> _Running:
    """Put the results of these rows of what is left into what was found."""
    ids, scores = (tf.gather(t, rows) for t in search.hypotheses(running.current))
    missing = search.max_length - tf.shape(ids)[2]
    ids = tf.pad(ids, [[0, 0], [0, 0], [0, missing]])  # with padding ids
    places = tf.gather(running.places, rows)[:, tf.newaxis]
    found = Hypotheses(
        tf.tensor_scatter_nd_update(running.found.ids, places, ids),
        tf.tensor_scatter_nd_update(running.found.scores, places, scores),
    )
    return running._replace(found=found)


def _where(condition: tf.Tensor) -> tf.Tensor:
    return tf.cast(tf.where(condition)[:, 0], tf.int32)
