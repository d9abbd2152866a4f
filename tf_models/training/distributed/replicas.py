"""Noise that each replica of a model has for itself."""

import contextlib
from collections.abc import Iterator

import tensorflow as tf


@contextlib.contextmanager
def own_noise(generators: list[tf.Variable]) -> Iterator[None]:
    """Within the block, a replica draws other numbers than the others do.

    The generators' states are the same on all replicas before and after it, so that one checkpoint
    is enough.

    Args:
        generators: states of Keras' seed generators, (seed, counter) each.
    """
    context = tf.distribute.get_replica_context()
    if context.num_replicas_in_sync == 1:
        yield
        return
    number = context.replica_id_in_sync_group
    seeds = [state[0] for state in generators]
    for state in generators:
        state.assign(state + tf.cast(tf.stack([number, 0]), state.dtype))
    yield
    for state, seed in zip(generators, seeds, strict=True):
        state.assign(tf.stack([seed, state[1]]))
