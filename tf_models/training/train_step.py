"""The train step of every model family: a batch is shared out over replicas and over cores."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple, Protocol

import keras
import tensorflow as tf

from tf_models.training.batch_sharding import shard, sum_gradients
from tf_models.training.distributed.replicas import own_noise
from tf_models.training.running_metrics import RunningMetrics

SEED_STATE = "seed_generator_state"  # Keras' name


class BatchSums(NamedTuple):
    """What a model makes of a batch, or of a shard of it: scalars, summed, never averaged.

    loss: what training minimises.
    reported: what is shown and kept, by name.
    """

    loss: tf.Tensor
    reported: Mapping[str, tf.Tensor]


class Objective(Protocol):
    """What a model family tells the train step.

    unit: what its figures are means over: "tokens", "images".
    names: of its figures, "loss" first.
    """

    unit: str
    names: tuple[str, ...]

    def count(self, *batch: tf.Tensor) -> tf.Tensor:
        """Units in a batch, by which sums become means: a scalar, float32."""

    def sums(self, *batch: tf.Tensor, training: bool) -> BatchSums:
        """Loss and figures of a batch; nothing may depend on how many examples there are."""


class SummedLossObjective:
    """The model's own sums, for `TrainStep`.

    Args:
        model: a `tf_models.layers.summed_loss.SummedLossModel`, such as a VAE.
        unit: what a batch is made of.
    """

    def __init__(self, model: keras.Model, unit: str):
        self._model, self.unit, self.names = model, unit, model.sum_names
        self.count = model.count

    def sums(self, *batch: tf.Tensor, training: bool) -> BatchSums:
        """Of a batch, as the model has them."""
        sums = self._model.sums(*batch, training=training)
        return BatchSums(sums["loss"], sums)


class TrainStep:
    """Trains and validates on batches of tensors, (batch, …) each.

    `train_step(*batch)` updates weights and metrics, `validation_step(*batch)` the metrics only,
    and `train_steps(batches, count)` takes several batches in one call.

    The loss of a batch is the mean over its units on all replicas together, so without noise a
    batch gives the same gradient however many replicas and shards share it. Each replica and each
    shard draws noise of its own.

    Args:
        model: built.
        optimizer: built for the model's variables.
        objective: the loss, and what is reported.
        strategy: the strategy under whose scope model and optimizer were made.
        batch_spec: `element_spec` of the batches as the strategy distributes them.
        num_shards: parts of a replica's batch (see `batch_sharding`).
        shard_validation: whether validation shares its batches out, too; a model that draws samples
            to validate would draw others then.
    """

    def __init__(
        self,
        model: keras.Model,
        optimizer: keras.optimizers.Optimizer,
        objective: Objective,
        strategy: tf.distribute.Strategy,
        batch_spec: tuple[tf.TypeSpec, ...],
        *,
        num_shards: int = 1,
        shard_validation: bool = True,
    ):
        self.model, self.optimizer, self.objective = model, optimizer, objective
        self._num_shards = num_shards
        self._generators = [v.value for v in model.variables if v.name == SEED_STATE]
        self._validation_shards = num_shards if shard_validation else 1
        with strategy.scope():
            self.metrics = RunningMetrics(objective.names, objective.unit)

        @tf.function(input_signature=batch_spec)
        def train_step(*batch):
            strategy.run(self._train_replica, args=batch)

        @tf.function
        def train_steps(batches, count):
            for _ in tf.range(count):
                strategy.run(self._train_replica, args=next(batches))

        @tf.function(input_signature=batch_spec)
        def validation_step(*batch):
            strategy.run(self._validate_replica, args=batch)

        self.train_step, self._train_steps = train_step, train_steps
        self.validation_step = validation_step

    def train_steps(self, batches: Iterator, count: int) -> None:
        """Train on the next batches, all in one call: a small model's step costs less than one."""
        self._train_steps(batches, tf.constant(count))

    # AutoGraph would rewrite all that a step calls, which takes seconds, and find nothing to do.
    @tf.autograph.experimental.do_not_convert
    def _train_replica(self, *batch: tf.Tensor) -> None:
        units = self.objective.count(*batch)
        of_all_replicas = tf.distribute.get_replica_context().all_reduce(
            tf.distribute.ReduceOp.SUM, units
        )
        shards = shard(batch, self._num_shards)
        with own_noise(self._generators):
            trained = [self._gradients(part, of_all_replicas) for part in shards]
        gradients, sums = zip(*trained, strict=True)
        self.optimizer.apply(sum_gradients(gradients), self.model.trainable_variables)
        self._report(sums, units)

    def _gradients(self, batch: tuple[tf.Tensor, ...], units: tf.Tensor):
        """Gradients of a shard's part of the mean loss, and its sums; units are of all replicas."""
        with tf.GradientTape() as tape:
            sums = self.objective.sums(*batch, training=True)
            loss = self.optimizer.scale_loss(sums.loss / units)
        weights = [variable.value for variable in self.model.trainable_variables]
        return tape.gradient(loss, weights), sums

    @tf.autograph.experimental.do_not_convert
    def _validate_replica(self, *batch: tf.Tensor) -> None:
        parts = shard(batch, self._validation_shards)
        with own_noise(self._generators):
            sums = [self.objective.sums(*part, training=False) for part in parts]
        self._report(sums, self.objective.count(*batch))

    def _report(self, sums, units: tf.Tensor) -> None:
        reported = {
            name: tf.add_n([of_shard.reported[name] for of_shard in sums])
            for name in self.objective.names
        }
        self.metrics.add(reported, units)
