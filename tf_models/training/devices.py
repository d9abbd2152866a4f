"""Cores, GPUs and machines: each trains on a shard of every batch.

Parallel shards use cores better than parallel operations; an operation has the cores of its shard.
"""

import contextlib
import functools
import os
from collections.abc import Callable, Iterator
from typing import Any

import keras
import tensorflow as tf

from tf_models.loss_sums import shard

# With fewer, the matrices of a shard are too small to keep a core busy.
TOKENS_IN_A_SHARD = 256
EXAMPLES_IN_A_SHARD = 16


@contextlib.contextmanager
def device_scope(seed: int, batch_units: int, shard_units: int) -> Iterator[int]:
    """Scope for making batches and model on all devices; yields `num_shards`.

    Nothing may be computed before: TensorFlow's threads stay what they are from its first tensor.
    All random generators are seeded, and TensorFlow uses deterministic operations from then on.

    Args:
        seed: 0 to 2**32 - 1.
        batch_units: tokens, or examples, in a batch, about.
        shard_units: fewest that are worth a core of their own.
    """
    keras.utils.set_random_seed(seed)
    tf.config.experimental.enable_op_determinism()
    num_shards = 1
    cores = available_cores()
    if not tf.config.list_physical_devices("GPU"):  # one takes a batch whole
        num_shards = max(1, min(cores, batch_units // shard_units))
        with contextlib.suppress(RuntimeError):  # TensorFlow has computed something already
            tf.config.threading.set_intra_op_parallelism_threads(max(1, cores // num_shards))
            tf.config.threading.set_inter_op_parallelism_threads(cores)
    with make_strategy().scope():
        yield num_shards


@functools.cache
def make_strategy() -> tf.distribute.Strategy:
    """Strategy for the machines in `TF_CONFIG`, or all GPUs, or one device."""
    if "TF_CONFIG" in os.environ:
        return tf.distribute.MultiWorkerMirroredStrategy()
    if len(tf.config.list_physical_devices("GPU")) > 1:
        return tf.distribute.MirroredStrategy()
    return tf.distribute.get_strategy()


def distribute(
    dataset: tf.data.Dataset, strategy: tf.distribute.Strategy, repeats: bool = False
) -> tf.data.Dataset | tf.distribute.DistributedDataset:
    """Batches of which each replica gets every n-th example.

    All workers have the same data set. With `repeats` it begins anew at its end, for a loop that
    counts: to find the end, workers would ask each other before every batch.
    """
    if strategy.num_replicas_in_sync == 1:
        return dataset

    def parts(context: tf.distribute.InputContext) -> tf.data.Dataset:
        replicas = context.num_replicas_in_sync // context.num_input_pipelines
        first = context.input_pipeline_id * replicas

        def of_replicas(*batch: Any) -> tf.data.Dataset:
            shards = shard(batch, context.num_replicas_in_sync)[first : first + replicas]
            datasets = map(tf.data.Dataset.from_tensors, shards)
            return functools.reduce(tf.data.Dataset.concatenate, datasets)

        batches = dataset.flat_map(of_replicas).prefetch(2 * replicas)
        return batches.repeat() if repeats else batches

    return strategy.distribute_datasets_from_function(parts)


def worker_max(strategy: tf.distribute.Strategy, *values: float) -> list[float]:
    """Maximum of each number over all workers, so that they decide alike."""
    if strategy.cluster_resolver is None:
        return list(values)
    gathered = strategy.gather(strategy.run(lambda: tf.constant([values], tf.float64)), axis=0)
    return tf.reduce_max(gathered, axis=0).numpy().tolist()


def available_cores() -> int:
    """Number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def compile_steps(
    model: keras.Model, strategy: tf.distribute.Strategy, batch_spec: Any
) -> tuple[Callable[[Iterator, tf.Tensor], None], Callable[..., None]]:
    """Compile the model's training and test steps for all devices.

    train_steps(batches, count) takes `count` batches of an iterator; test_step(*batch) evaluates a
    batch of the `element_spec` `batch_spec`.
    """
    # AutoGraph would rewrite all that a step calls, which takes seconds.
    train_step = tf.autograph.experimental.do_not_convert(model.train_step)
    evaluate = tf.autograph.experimental.do_not_convert(model.test_step)

    @tf.function
    def train_steps(batches: Iterator, count: tf.Tensor) -> None:
        for _ in tf.range(count):
            strategy.run(train_step, args=(next(batches),))

    @tf.function(input_signature=batch_spec)
    def test_step(*batch: tf.Tensor) -> None:
        strategy.run(evaluate, args=(batch,))

    return train_steps, test_step
