"""A training, put together: what every model family's training has in common."""

from collections.abc import Callable
from typing import NamedTuple

import keras
import tensorflow as tf

from tf_models.runtime import use_cores_for_training
from tf_models.training.batch_sharding import count_shards
from tf_models.training.distributed.workers import Workers
from tf_models.training.loop import Batches, TrainingLoop
from tf_models.training.run_directory import RunDirectory
from tf_models.training.train_step import Objective, TrainStep


class Trainable(NamedTuple):
    """What is trained, how, and for what; the model is built."""

    model: keras.Model
    optimizer: keras.optimizers.Optimizer
    objective: Objective


def share_cores(strategy: tf.distribute.Strategy, batch_size: int, least: int) -> int:
    """Shards of a replica's batch, each of which has one core or several from now on.

    Call it before TensorFlow computes anything (see `tf_models.runtime`).

    Args:
        strategy: how to distribute.
        batch_size: about how many tokens, or examples, a batch has.
        least: how many a shard has at least.
    """
    of_replica = batch_size // strategy.num_replicas_in_sync
    # A GPU takes a batch whole.
    gpus = tf.config.list_physical_devices("GPU")
    num_shards = 1 if gpus else count_shards(of_replica, least)
    use_cores_for_training(num_shards)
    return num_shards


def assemble(
    run: RunDirectory,
    batches: Batches,
    validation: tf.data.Dataset,
    make: Callable[[], Trainable],
    *,
    strategy: tf.distribute.Strategy,
    num_shards: int,
    shard_validation: bool = True,
    averaged: int = 0,
    report: Callable[[str], None],
) -> TrainingLoop:
    """The loop that trains what `make` returns, from wherever its latest checkpoint stands.

    Args:
        run: a prepared run directory.
        batches: training data.
        validation: all batches to validate on.
        make: is called where variables are made for every replica.
        strategy: how to distribute.
        num_shards: of a replica's batch (see `share_cores`).
        shard_validation: see `TrainStep`.
        averaged: last epochs whose weights are kept to be averaged.
        report: what to do with a line for the reader.
    """
    workers = Workers(strategy)
    with workers.together():
        in_order = workers.distribute(validation)
        with strategy.scope():
            model, optimizer, objective = make()
            optimizer.build(model.trainable_variables)
        step = TrainStep(
            model,
            optimizer,
            objective,
            strategy,
            in_order.element_spec,
            num_shards=num_shards,
            shard_validation=shard_validation,
        )
        options = {"averaged": averaged, "report": report}
        return TrainingLoop(run, step, batches, in_order, workers, **options)
