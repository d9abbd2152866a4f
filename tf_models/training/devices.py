"""Cores, GPUs and machines: each trains on a shard of every batch.

Shards of a batch spread well over cores, small operations do not: each stays on one core if it can.
"""

import contextlib
import functools
import json
import os
from collections.abc import Iterator, Sequence

import keras
import tensorflow as tf


def available_cores() -> int:
    """Number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextlib.contextmanager
def device_scope(seed: int, batch_units: int, shard_units: int) -> Iterator[int]:
    """Make batches and model for all devices within the block; yield the model's `num_shards`.

    Nothing may be computed before: TensorFlow's threads stay what they are from its first tensor.
    All random generators are seeded, and TensorFlow uses deterministic operations from then on.

    Args:
        seed: 0 to 2**32 - 1.
        batch_units: tokens, or examples, in a batch, about.
        shard_units: fewer of them are not worth a core of their own.
    """
    keras.utils.set_random_seed(seed)
    tf.config.experimental.enable_op_determinism()
    num_shards, cores = 1, available_cores()
    if not tf.config.list_physical_devices("GPU"):  # one takes a batch whole
        num_shards = max(1, min(cores, batch_units // shard_units))
        with contextlib.suppress(RuntimeError):  # TensorFlow has computed something already
            tf.config.threading.set_intra_op_parallelism_threads(max(1, cores // num_shards))
            tf.config.threading.set_inter_op_parallelism_threads(cores)
    with make_strategy().scope():
        yield num_shards


@functools.cache
def make_strategy() -> tf.distribute.Strategy:
    """TensorFlow's strategy for the machines in `TF_CONFIG`, or for all GPUs, or for one device."""
    cluster = json.loads(os.environ.get("TF_CONFIG") or "{}").get("cluster", {})
    if len(cluster.get("worker", [])) > 1:
        return tf.distribute.MultiWorkerMirroredStrategy()
    if len(tf.config.list_physical_devices("GPU")) > 1:
        return tf.distribute.MirroredStrategy()
    return tf.distribute.get_strategy()


def shard(batch: Sequence[tf.Tensor], num_shards: int) -> list[tuple[tf.Tensor, ...]]:
    """Every n-th example of tensors (batch, …): sorted by length, they give shards that are alike.

    Some are empty where there are fewer examples than shards.
    """
    if num_shards == 1:
        return [tuple(batch)]
    examples = tf.range(tf.shape(batch[0])[0])
    # A gather moves whole rows; a slice with a stride goes number by number, 30 times as slow.
    indices = [examples[i::num_shards] for i in range(num_shards)]
    return [tuple(tf.gather(tensor, rows) for tensor in batch) for rows in indices]


@contextlib.contextmanager
def own_noise(model: keras.Model) -> Iterator[None]:
    """Give each replica its own random numbers within the block.

    Before and after it the generators' states, (seed, counter), are the same on all replicas, so
    that one checkpoint holds them.
    """
    replica = tf.distribute.get_replica_context()
    if replica.num_replicas_in_sync == 1:
        yield
        return
    states = [v.value for v in model.variables if v.name == "seed_generator_state"]  # Keras' name
    seeds = [state[0] for state in states]
    for state, seed in zip(states, seeds, strict=True):
        own = seed + tf.cast(replica.replica_id_in_sync_group, seed.dtype)
        state.assign(tf.stack([own, state[1]]))
    yield
    for state, seed in zip(states, seeds, strict=True):
        state.assign(tf.stack([seed, state[1]]))
