"""Greedy search and beam search over a step function.

A model is a function `step(ids, memory, state, *weights) -> (logits, state)`: ids (batch, n) are
the newest ids of n hypotheses for each sentence, logits (batch, n, vocabulary) those of the next
one; n is 1 for the first id, and then the beam size. `memory` is what the model knows of the
sentences, nested tensors (batch, ...); `state` what it remembers of the hypotheses, nested tensors
(batch, n, ...), such as growing caches; `weights` are tensors that it prepares once for all steps,
none by default.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import tensorflow as tf

from tf_models.ids import PADDING_ID

Nested = Any  # nested tensors
StepFunction = Callable[..., tuple[tf.Tensor, Nested]]  # (ids, memory, state, *weights)

# Sentences that are done leave a batch once they are this share of it; else a file takes 2.5 times
# as long.
COMPACTION_THRESHOLD = 1 / 8


class Hypotheses(NamedTuple):
    """Results of a search, best first.

    ids: (batch, beam, len), after the start id, padded behind the end id.
    scores: (batch, beam), log-probability in nats, divided by the length penalty.
    """

    ids: tf.Tensor
    scores: tf.Tensor


class Beams(NamedTuple):
    """State of a search; ids are (batch, beam, len), start id included.

    ended_scores: (batch, beam), IMPOSSIBLE where empty.
    done: (batch,), True if the search of a sentence has stopped.
    alpha: (batch,), by which ended hypotheses are compared.
    places: (batch,), row of each sentence in the first, whole batch.
    """

    alive_ids: tf.Tensor
    alive_log_probs: tf.Tensor
    ended_ids: tf.Tensor
    ended_scores: tf.Tensor
    done: tf.Tensor
    alpha: tf.Tensor
    places: tf.Tensor
    memory: Nested
    state: Nested


class BeamSearch:
    """Keep the `beam_size` best hypotheses of each sentence at every length.

    Ended hypotheses are compared by log P(Y) / lp(Y), lp(Y) = ((5 + |Y|) / 6)^alpha
    (Wu et al. 2016, equation 14). A sentence is done when `beam_size` hypotheses have ended and the
    best one alive, were it to end at its present length, would score no better than the worst of
    them. (With alpha above 0 it might still win later on, as lp grows; the search stops anyway.)
    A beam of one is greedy search.

    Args:
        step: the model.
        start_id, end_id: ids that open and close a sentence.
        max_length: most ids a result may have, the end id included.
        beam_size: hypotheses kept.

    Example:
        >>> def step(ids, memory, state):  # the next id is one more, most probably
        ...     return 9 * tf.one_hot(ids + 1, depth=5), state
        >>> search = BeamSearch(step, start_id=1, end_id=4, max_length=9, beam_size=2)
        >>> results = search(memory=(), state=tf.zeros((1, 1, 1)))
        >>> print(results.ids[0, 0].numpy())
        [2 3 4 0 0 0]
    """

    def __init__(
        self,
        step: StepFunction,
        *,
        start_id: int,
        end_id: int,
        max_length: int | tf.Tensor,
        beam_size: int = 1,
    ):
        self._step = step
        self._beam = beam_size
        self._advance = self._extend  # or its graph, after `compile`
        self._start_id = start_id
        self._end_id = end_id
        self._max_length = max_length

    def compile(self, memory: Nested, state: Nested, *weights: tf.Tensor) -> None:
        """Make one graph of a step, for any number of sentences of any length.

        `memory`, `state` and `weights` are examples of what the search will be called with.
        """
        beams = self._start(memory, state, 0.0)
        any_shape = tf.nest.map_structure(_any_shape, beams)
        shapes = [tf.TensorSpec(tensor.shape, tensor.dtype) for tensor in weights]
        self._advance = tf.function(
            self._extend, input_signature=[any_shape, *shapes], autograph=False
        )

    def __call__(
        self,
        memory: Nested,
        state: Nested,
        observe: Callable[[Beams], object] = lambda beams: None,
        *,
        length_penalty: float | tf.Tensor = 0.0,
        weights: Sequence[tf.Tensor] = (),
    ) -> Hypotheses:
        """Search to the end, with the model's `memory` and its first `state`.

        Args:
            memory, state, weights: as the step takes them, with one hypothesis for each sentence.
            observe: called with the `Beams` after each id; in a graph, only when it is traced.
            length_penalty: alpha; 0 compares plain log-probabilities.
        """

        def is_unfinished(beams: Beams, results: Hypotheses) -> tf.Tensor:
            return ~tf.reduce_all(beams.done) & (_length(beams) < self._max_length)

        def advance(beams: Beams, results: Hypotheses) -> tuple[Beams, Hypotheses]:
            beams = self._advance(beams, *weights)
            observe(beams)
            return self._compact(beams, results)

        beams = self._start(memory, state, length_penalty)
        shape = tf.shape(beams.ended_scores)  # (batch, beam)
        no_ids = tf.fill((shape[0], shape[1], self._max_length), PADDING_ID)
        running = beams, Hypotheses(no_ids, tf.zeros(shape))
        shapes = tf.nest.map_structure(lambda tensor: _any_shape(tensor).shape, running)
        # Outside a graph it is a loop of Python.
        beams, results = tf.while_loop(is_unfinished, advance, running, shape_invariants=shapes)
        ids, scores = self._write(beams, results)
        return Hypotheses(ids[:, :, : _length(beams)], scores)

    def _start(self, memory: Nested, state: Nested, alpha: float | tf.Tensor) -> Beams:
        batch = tf.shape(tf.nest.flatten(state)[0])[0]
        return Beams(
            alive_ids=tf.fill((batch, 1, 1), self._start_id),
            alive_log_probs=tf.zeros((batch, 1)),
            ended_ids=tf.fill((batch, self._beam, 1), PADDING_ID),
            ended_scores=tf.fill((batch, self._beam), IMPOSSIBLE),
            done=tf.zeros((batch,), tf.bool),
            alpha=tf.fill((batch,), tf.cast(alpha, tf.float32)),
            places=tf.range(batch),
            memory=memory,
            state=state,
        )

    def _extend(self, beams: Beams, *weights: tf.Tensor) -> Beams:
        """Extend every live hypothesis by one id and keep the best of all."""
        last = beams.alive_ids[:, :, -1]
        logits, state = self._step(last, beams.memory, beams.state, *weights)
        # The 2 * beam best, (batch, 2 * beam): enough for `beam` that do not end.
        log_probs, parents, newest = best_continuations(
            logits, beams.alive_log_probs, 2 * self._beam
        )
        ids = tf.gather(beams.alive_ids, parents, batch_dims=1)
        ids = tf.concat([ids, newest[:, :, tf.newaxis]], axis=2)  # (batch, 2 * beam, len)
        ends = newest == self._end_id
        ended_ids, ended_scores = self._collect_ended(beams, ids, log_probs, ends)

        alive_log_probs, indices = tf.nn.top_k(tf.where(ends, IMPOSSIBLE, log_probs), self._beam)
        best_alive = alive_log_probs[:, 0] / _penalty(beams, _length(beams) + 1)[:, 0]
        if self._beam > 1:  # the only hypothesis is its own parent
            parents = tf.gather(parents, indices, batch_dims=1)  # (batch, beam)
            state = tf.nest.map_structure(lambda t: tf.gather(t, parents, batch_dims=1), state)
        return beams._replace(
            alive_ids=tf.gather(ids, indices, batch_dims=1),
            alive_log_probs=alive_log_probs,
            ended_ids=ended_ids,
            ended_scores=ended_scores,
            done=beams.done | (ended_scores[:, -1] >= best_alive),
            state=state,
        )

    def _collect_ended(
        self, beams: Beams, ids: tf.Tensor, log_probs: tf.Tensor, ends: tf.Tensor
    ) -> tuple[tf.Tensor, tf.Tensor]:
        """The `beam` best of the ended ones and of candidates that end now."""
        may_end = tf.range(2 * self._beam) < self._beam
        eligible = ends & may_end & ~beams.done[:, tf.newaxis]  # (batch, 2 * beam)
        scores = log_probs / _penalty(beams, _length(beams) + 1)
        scores = tf.where(eligible, scores, IMPOSSIBLE)
        padded = tf.pad(beams.ended_ids, [[0, 0], [0, 0], [0, 1]], constant_values=PADDING_ID)
        all_ids = tf.concat([padded, ids], axis=1)  # (batch, 3 * beam, len)
        all_scores = tf.concat([beams.ended_scores, scores], axis=1)
        ended_scores, best = tf.nn.top_k(all_scores, self._beam)
        return tf.gather(all_ids, best, batch_dims=1), ended_scores

    def _compact(self, beams: Beams, results: Hypotheses) -> tuple[Beams, Hypotheses]:
        """Move sentences that are done into the results, once there are enough."""
        share = tf.reduce_mean(tf.cast(beams.done, tf.float32))

        def leave() -> tuple[Beams, Hypotheses]:
            return _gather(beams, ~beams.done), self._write(_gather(beams, beams.done), results)

        return tf.cond(share >= COMPACTION_THRESHOLD, leave, lambda: (beams, results))

    def _write(self, beams: Beams, results: Hypotheses) -> Hypotheses:
        ids, scores = self._hypotheses(beams)
        missing = self._max_length - tf.shape(ids)[2]
        ids = tf.pad(ids, [[0, 0], [0, 0], [0, missing]], constant_values=PADDING_ID)
        places = beams.places[:, tf.newaxis]
        return Hypotheses(
            tf.tensor_scatter_nd_update(results.ids, places, ids),
            tf.tensor_scatter_nd_update(results.scores, places, scores),
        )

    def _hypotheses(self, beams: Beams) -> Hypotheses:
        """Ended hypotheses, best first; then those alive at the greatest length."""
        alive_scores = beams.alive_log_probs / _penalty(beams, _length(beams))
        alive_ranks = alive_scores + IMPOSSIBLE / 2  # behind every hypothesis that has ended
        _, best = tf.nn.top_k(tf.concat([beams.ended_scores, alive_ranks], axis=1), self._beam)
        ids = tf.concat([beams.ended_ids, beams.alive_ids], axis=1)
        scores = tf.concat([beams.ended_scores, alive_scores], axis=1)
        return Hypotheses(
            tf.gather(ids, best, batch_dims=1)[:, :, 1:], tf.gather(scores, best, batch_dims=1)
        )


def _penalty(beams: Beams, length: tf.Tensor) -> tf.Tensor:
    """lp(Y) of each sentence, (batch, 1)."""
    return tf.pow((5.0 + tf.cast(length, tf.float32)) / 6.0, beams.alpha)[:, tf.newaxis]


def _any_shape(tensor: tf.Tensor) -> tf.TensorSpec:
    return tf.TensorSpec([None] * tensor.shape.rank, tensor.dtype)


def _length(beams: Beams) -> tf.Tensor:
    return tf.shape(beams.alive_ids)[2] - 1


def _gather(beams: Beams, chosen: tf.Tensor) -> Beams:
    rows = tf.where(chosen)[:, 0]
    return tf.nest.map_structure(lambda tensor: tf.gather(tensor, rows), beams)


IMPOSSIBLE = -1e9  # log-probability of what must not be chosen

CHUNK_IDS = 64  # the best id of a chunk is one vectorised maximum


def best_continuations(
    logits: tf.Tensor, log_probs: tf.Tensor, count: int
) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """The `count` best extensions of a sentence's hypotheses by one id.

    Equal to `top_k` over all log-probabilities, ties included, but only `count` chunks of the
    vocabulary are looked into: those with the largest maxima hold the `count` largest values. (A
    beam of five translates a file in 0.7 of the time.)

    Args:
        logits: (batch, n, vocabulary), of the next ids.
        log_probs: (batch, n), of the hypotheses so far, in nats.
        count: extensions of each sentence.

    Returns:
        log-probabilities, hypotheses (0 to n - 1) and ids, (batch, count) each, best first.
    """
    batch, n = tf.unstack(tf.shape(log_probs))
    per_hypothesis = math.ceil(max(logits.shape[-1], count) / CHUNK_IDS)
    if missing := per_hypothesis * CHUNK_IDS - logits.shape[-1]:
        logits = tf.pad(logits, [[0, 0], [0, 0], [0, missing]], constant_values=IMPOSSIBLE)
    in_chunks = (batch, n, per_hypothesis, CHUNK_IDS)
    chunks = tf.reshape(logits, in_chunks)
    maxima = tf.reduce_max(chunks, axis=-1)  # (batch, n, per_hypothesis)
    # log sum exp from the largest logit and its probability: TensorFlow has a fast softmax.
    probabilities = tf.reshape(tf.nn.softmax(logits), in_chunks)
    best_chunk = tf.gather(probabilities, tf.argmax(maxima, axis=-1), batch_dims=2)
    largest = tf.reduce_max(best_chunk, axis=-1)  # (batch, n)
    offsets = log_probs + tf.math.log(largest) - tf.reduce_max(maxima, axis=-1)  # (batch, n)

    maxima = tf.reshape(maxima + offsets[:, :, tf.newaxis], (batch, -1))
    _, chunk_indices = tf.nn.top_k(maxima, tf.minimum(count, n * per_hypothesis), sorted=False)
    chunk_indices = tf.sort(chunk_indices, axis=1)  # of equal hypotheses the first wins
    place = tf.stack([chunk_indices // per_hypothesis, chunk_indices % per_hypothesis], axis=-1)
    totals = tf.gather_nd(chunks, place, batch_dims=1)  # (batch, best chunks, CHUNK_IDS)
    totals += tf.gather(offsets, place[:, :, 0], batch_dims=1)[:, :, tf.newaxis]
    best, flat_indices = tf.nn.top_k(tf.reshape(totals, (batch, -1)), count)  # (batch, count)

    hypothesis, chunk = tf.unstack(
        tf.gather(place, flat_indices // CHUNK_IDS, batch_dims=1), axis=-1
    )
    return best, hypothesis, chunk * CHUNK_IDS + flat_indices % CHUNK_IDS


def weights_for_search(
    kernel: tf.Tensor, bias: tf.Tensor, suppressed_ids: Sequence[int]
) -> tuple[tf.Tensor, tf.Tensor]:
    """Output layer's weights in whole chunks, suppressed ids impossible.

    Of kernel (features, vocabulary) and bias (vocabulary,): the same with as many impossible ids
    behind the vocabulary as whole chunks need.
    """
    vocabulary = bias.shape[0]
    missing = -vocabulary % CHUNK_IDS
    suppressed = [*suppressed_ids, *range(vocabulary, vocabulary + missing)]
    bias = tf.tensor_scatter_nd_update(
        tf.pad(bias, [[0, missing]]), [[i] for i in suppressed], [IMPOSSIBLE] * len(suppressed)
    )
    return tf.pad(kernel, [[0, 0], [0, missing]]), bias


def output_layer(states: tf.Tensor, kernel: tf.Tensor, bias: tf.Tensor) -> tf.Tensor:
    """Logits (batch * n, vocabulary) of states (batch * n, features)."""
    return tf.nn.bias_add(tf.matmul(tf.cast(states, kernel.dtype), kernel), bias)
