"""What greedy and beam search share: the model as a step, and the loop that drives a search.

A model is a function `step(ids, memory, state) -> (logits, state)`: ids (batch, n) are the newest
ids of n hypotheses for each sentence, logits (batch, n, vocabulary) those of the next one.
`memory` is what the model knows of the sentences, nested tensors (batch, ...); `state` what it
remembers of the hypotheses, nested tensors (batch, n, ...).

`run` drives a `Search` inside a graph; `watch` yields every state on the way.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

import tensorflow as tf

from tf_models.ids import PADDING_ID

Nested = object  # nested tensors
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

    longest: most ids a result may have, the end id included.
    """

    longest: int | tf.Tensor

    def start(self, memory: Nested, state: Nested) -> Nested:
        """The search's state before the first id."""

    def advance(self, current: Nested) -> Nested:
        """One id more."""

    def done(self, current: Nested) -> tf.Tensor:
        """Whether a sentence needs no more, (batch,)."""

    def length(self, current: Nested) -> tf.Tensor:
        """Ids that each hypothesis has now, behind the start id."""

    def hypotheses(self, current: Nested) -> Hypotheses:
        """The results."""


class _Running(NamedTuple):
    """current: the search's state for the sentences that are left; places: theirs in the batch,
    (left,); found: the results so far of all, (batch, n, longest) and (batch, n).
    """

    current: Nested
    places: tf.Tensor
    found: Hypotheses


def run(search: Search, memory: Nested, state: Nested) -> Hypotheses:
    """Search to the end in one graph loop."""
    running = _start(search, memory, state)
    (running,) = tf.while_loop(
        lambda running: _going_on(search, running.current),
        lambda running: (_drop_finished(search, _advance(search, running)),),
        (running,),
        shape_invariants=(tf.nest.map_structure(_any_shape, running),),
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
    """The first axis that all tensors share."""
    return tf.shape(tf.nest.flatten(nested)[0])[0]


def _going_on(search: Search, current: Nested) -> tf.Tensor:
    return ~tf.reduce_all(search.done(current)) & (search.length(current) < search.longest)


def _start(search: Search, memory: Nested, state: Nested) -> _Running:
    current = search.start(memory, state)
    ids, scores = search.hypotheses(current)
    found = Hypotheses(
        tf.fill((*tf.unstack(tf.shape(ids)[:2]), search.longest), PADDING_ID), scores
    )
    return _Running(current, tf.range(count_sentences(memory, state)), found)


def _advance(search: Search, running: _Running) -> _Running:
    return running._replace(current=search.advance(running.current))


def _drop_finished(search: Search, running: _Running) -> _Running:
    """Go on with the other sentences alone, so that nothing is computed for those that are done."""
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
    ids = tf.pad(ids, [[0, 0], [0, 0], [0, search.longest - tf.shape(ids)[2]]])  # with padding ids
    places = tf.gather(running.places, rows)[:, tf.newaxis]
    found = Hypotheses(
        tf.tensor_scatter_nd_update(running.found.ids, places, ids),
        tf.tensor_scatter_nd_update(running.found.scores, places, scores),
    )
    return running._replace(found=found)


def _where(condition: tf.Tensor) -> tf.Tensor:
    return tf.cast(tf.where(condition)[:, 0], tf.int32)


def _any_shape(tensor: tf.Tensor) -> tf.TensorShape:
    return tf.TensorShape([None] * tensor.shape.rank)
