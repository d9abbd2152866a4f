"""Shards of a batch on cores, and replicas of a model on devices."""

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import keras
import tensorflow as tf


def shard(batch: Any, num_shards: int) -> list[Any]:
    """Shards of nested tensors (batch, …), of every n-th example: some may be empty."""
    if num_shards == 1:
        return [batch]
    examples = tf.range(tf.shape(tf.nest.flatten(batch)[0])[0])
    # A gather moves whole rows; a slice with a stride goes number by number, 30 times as slow.
    indices = [examples[i::num_shards] for i in range(num_shards)]  # alike if sorted by length
    return [
        tf.nest.map_structure(lambda t, rows=rows: tf.gather(t, rows), batch) for rows in indices
    ]


@contextlib.contextmanager
def replica_noise(model: keras.Model) -> Iterator[None]:
    """Give each replica its own random numbers within the block.

    Before and after it the generators' states, (seed, counter), are the same on all replicas, so
    that one checkpoint holds them.
    """
    replica = tf.distribute.get_replica_context()
    if replica.num_replicas_in_sync == 1:
        yield
        return
    states = [v.value for v in model.variables if v.name == "seed_generator_state"]  # Keras' name
    number = tf.stack([replica.replica_id_in_sync_group, 0])
    for state in states:
        state.assign_add(tf.cast(number, state.dtype))
    yield
    for state in states:
        state.assign_sub(tf.cast(number, state.dtype))


def sum_over_replicas(value: tf.Tensor) -> tf.Tensor:
    """Sum of a tensor over all replicas, on each of them."""
    return tf.distribute.get_replica_context().all_reduce(tf.distribute.ReduceOp.SUM, value)


def clip_whole_gradient(
    gradients: Sequence[tf.Tensor | None], optimizer: keras.optimizers.Optimizer
) -> list[tf.Tensor | None]:
    """Gradients for `optimizer.apply`, clipped as if there were one replica.

    Keras' optimizers clip each replica's share and then add the shares up. So that the norm is that
    of the whole gradient, every replica gets an equal share of the whole, already clipped.
    """
    replicas = tf.distribute.get_replica_context().num_replicas_in_sync
    dense = [g if g is None else tf.convert_to_tensor(g) for g in gradients]
    if replicas == 1:
        return dense
    reached = [i for i, gradient in enumerate(dense) if gradient is not None]
    scale = tf.cast(optimizer.scale_loss(1.0), tf.float32)  # not 1 in 16 bits
    inner = getattr(optimizer, "inner_optimizer", optimizer)  # of a LossScaleOptimizer
    whole = sum_over_replicas([dense[i] for i in reached])
    clipped = inner._clip_gradients([gradient / scale for gradient in whole])
    for i, gradient in zip(reached, clipped, strict=True):
        dense[i] = gradient * (scale / replicas)
    return dense
