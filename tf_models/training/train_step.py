"""The train step of every model family: a batch is shared out over replicas and over cores.

Shards of a batch are worked on at the same time, one on each core. They share the weights, and
their gradients are added up.
"""

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

import keras
import numpy as np
import tensorflow as tf

from tf_models.runtime import available_cores
from tf_models.training.outputs import Outputs

SEED_STATE = "seed_generator_state"  # Keras' name
Gradient: TypeAlias = tf.Tensor | tf.IndexedSlices


@contextlib.contextmanager
def own_noise(generators: list[tf.Variable]) -> Iterator[None]:
    """Within the block, a replica draws other numbers than the others do.

    The generators' states, (seed, counter) each, are the same on all replicas before and after it,
    so that one checkpoint is enough.
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


class RunningMetrics:
    """Sums of named figures and the number of units that they are of, over batches and replicas.

    Make it under the strategy's scope. `variables` belong into a checkpoint, so that the figures
    of an interrupted epoch go on where they stood. Each replica has the sums of all of them, so
    that a worker reads them without asking the others.

    Args:
        names: of the figures.
        unit: what is counted: "tokens", "images".
    """

    def __init__(self, names: Sequence[str], unit: str):
        self.names, self.unit = tuple(names), unit
        # One variable for all: an update costs as much as its number of variables.
        self._totals = tf.Variable(
            tf.zeros((len(self.names) + 1,), tf.float64), trainable=False, name="totals"
        )
        self.variables = {"totals": self._totals}

    def add(self, sums: Mapping[str, tf.Tensor], count: tf.Tensor) -> None:
        """Add the sums of one batch, and the number of its units (scalars)."""
        values = [*(sums[name] for name in self.names), count]
        values = tf.stack([tf.cast(value, tf.float64) for value in values])
        context = tf.distribute.get_replica_context()
        self._totals.assign_add(context.all_reduce(tf.distribute.ReduceOp.SUM, values))

    def reset(self) -> None:
        """Start at zero again."""
        self._totals.assign(tf.zeros_like(self._totals))

    @property
    def count(self) -> float:
        """Number of units so far."""
        return float(self.totals()[-1])

    def means(self, since: np.ndarray | float = 0.0) -> dict[str, float]:
        """Each figure by name, the mean over the units so far, or since these were the totals."""
        *sums, count = self.totals() - since
        return {n: float(s) / max(count, 1.0) for n, s in zip(self.names, sums, strict=True)}

    def totals(self) -> np.ndarray:
        """The sums so far, (figures + 1,) float64; last comes the number of units."""
        return self._totals.read_value().numpy()


def count_shards(batch_size: int, least: int) -> int:
    """How many shards to cut a batch into: one a core, if each is worth a core of its own.

    A batch has about `batch_size` tokens, or examples, and a shard `least` of them or more.
    """
    return max(1, min(available_cores(), batch_size // least))


def shard(batch: Sequence[tf.Tensor], num_shards: int) -> list[tuple[tf.Tensor, ...]]:
    """Every n-th example of a batch: where it is sorted, by length say, the shards are alike.

    The batch is tensors, (batch, …) each, and so is a part; some parts are empty where there are
    fewer examples than shards.
    """
    examples = tf.range(tf.shape(batch[0])[0])
    # A gather moves whole rows; a slice with a stride goes number by number, 30 times as slow.
    return [
        tuple(tf.gather(tensor, examples[i::num_shards]) for tensor in batch)
        for i in range(num_shards)
    ]


def sum_gradients(gradients: Sequence[Sequence[Gradient]]) -> list[tf.Tensor]:
    """The sum of the shards' gradients, which are given shard by shard, for each variable."""
    return [_sum(of_variable) for of_variable in zip(*gradients, strict=True)]


def _sum(gradients: Sequence[Gradient]) -> tf.Tensor:
    if all(isinstance(gradient, tf.IndexedSlices) for gradient in gradients):
        slices = tf.IndexedSlices(
            tf.concat([g.values for g in gradients], axis=0),
            tf.concat([g.indices for g in gradients], axis=0),
            gradients[0].dense_shape,
        )
        return tf.convert_to_tensor(slices)
    return tf.add_n([tf.convert_to_tensor(gradient) for gradient in gradients])


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

    An attribute `outputs` is not asked of all: a function by which changed code is noticed (see
    `tf_models.training.outputs`).
    """

    unit: str

    @property
    def names(self) -> Sequence[str]:
        """Of its figures, "loss" first."""

    @property
    def count(self) -> Callable[..., tf.Tensor]:
        """count(*batch): units in a batch, by which sums become means, a scalar, float32."""

    @property
    def sums(self) -> Callable[..., BatchSums]:
        """sums(*batch, training=…): loss and figures; nothing may depend on how many examples
        there are.
        """


class SummedLossObjective:
    """The model's own sums, for `TrainStep`.

    Args:
        model: a `tf_models.layers.models.SummedLossModel`, such as a VAE.
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
        num_shards: parts of a replica's batch (see `shard`).
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
        # Outside of a step a model that several devices mirror cannot be asked.
        is_alone = strategy.num_replicas_in_sync == 1
        self.outputs: Outputs | None = getattr(objective, "outputs", None) if is_alone else None
        self._num_shards = num_shards
        self._generators = [v.value for v in model.variables if v.name == SEED_STATE]
        self._validation_shards = num_shards if shard_validation else 1
        with strategy.scope():
            self.metrics = RunningMetrics(objective.names, objective.unit)

        @tf.function(input_signature=batch_spec)
        def train_step(*batch: tf.Tensor) -> None:
            strategy.run(self._train_replica, args=batch)

        @tf.function
        def train_steps(batches: Any, count: tf.Tensor) -> None:
            for _ in tf.range(count):
                strategy.run(self._train_replica, args=next(batches))

        @tf.function(input_signature=batch_spec)
        def validation_step(*batch: tf.Tensor) -> None:
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

    def _gradients(
        self, batch: tuple[tf.Tensor, ...], units: tf.Tensor
    ) -> tuple[list[Gradient], BatchSums]:
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

    def _report(self, sums: Sequence[BatchSums], units: tf.Tensor) -> None:
        reported = {
            name: tf.add_n([of_shard.reported[name] for of_shard in sums])
            for name in self.objective.names
        }
        self.metrics.add(reported, units)
