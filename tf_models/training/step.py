"""One training step of every model: a shard of the batch on each core.

A model states its loss once, in `loss_sums`, as sums over its units (tokens, images). Sums of
shards add up to those of the batch, so a batch gives the same gradient however it is cut.
`model.fit` and `tf_models.training.loop` both call `train_step`.
"""

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import keras
import tensorflow as tf


def available_cores() -> int:
    """Number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def shard(batch: Sequence[tf.Tensor], num_shards: int) -> list[tuple[tf.Tensor, ...]]:
    """Shards of tensors (batch, …), of every n-th example: some may be empty."""
    if num_shards == 1:
        return [tuple(batch)]
    examples = tf.range(tf.shape(batch[0])[0])
    # A gather moves whole rows; a slice with a stride goes number by number, 30 times as slow.
    indices = [examples[i::num_shards] for i in range(num_shards)]  # alike if sorted by length
    return [tuple(tf.gather(tensor, rows) for tensor in batch) for rows in indices]


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


class LossSums(NamedTuple):
    """Float32 sums over the units of a batch: the loss, and the metrics."""

    loss: tf.Tensor
    metrics: Mapping[str, tf.Tensor]  # to show, with "loss" among them


class Means(keras.metrics.Metric):
    """Means of named sums over batches and replicas, all in one variable."""

    def __init__(self, names: Sequence[str]):
        super().__init__(name="means")
        self.names = tuple(names)
        shape = (len(self.names) + 1,)  # the sums, and last the number of units
        self.totals = keras.Variable("zeros", shape, "float64", trainable=False, aggregation="none")

    def update_state(self, sums: Mapping[str, tf.Tensor], count: tf.Tensor) -> None:
        """Add sums over `count` units; each replica gets those of all replicas."""
        values = [tf.cast(value, tf.float64) for value in (*map(sums.get, self.names), count)]
        replica = tf.distribute.get_replica_context()
        self.totals.assign_add(replica.all_reduce(tf.distribute.ReduceOp.SUM, tf.stack(values)))

    def result(self) -> dict[str, tf.Tensor]:
        """Means of the sums so far, by name."""
        means = tf.math.divide_no_nan(self.totals[:-1], self.totals[-1])
        return dict(zip(self.names, tf.unstack(means), strict=True))


class SummedLossModel(keras.Model):
    """Base of models that state their own loss.

    `compile` one with an optimizer alone. A loss given to `compile` takes the place of the model's
    own, as in any Keras model.

    Args:
        metric_names: names of the metrics of `loss_sums`, "loss" first.

    Attributes:
        unit: plural name of the units that the sums are over.
        num_shards: parts that a batch is cut into, one for each core.
        shards_validation: True if validation batches are cut, too; False for models that sample:
            their noise must not depend on the number of cores.
    """

    unit = "examples"
    num_shards = 1
    shards_validation = True
    _arguments: Mapping[str, Any] = {}  # of the constructor, for `get_config`

    def __init__(self, metric_names: Sequence[str] = ("loss", "accuracy"), **kwargs: Any):
        super().__init__(**kwargs)
        self.means = Means(metric_names)

    def loss_sums(self, *batch: tf.Tensor, training: bool) -> LossSums:
        """Sums over a batch of tensors (batch, …)."""
        raise NotImplementedError

    def count(self, *batch: tf.Tensor) -> tf.Tensor:
        """Units of a batch: a scalar, float32."""
        return tf.cast(tf.shape(batch[0])[0], tf.float32)

    @property
    def metrics(self) -> list[keras.metrics.Metric]:
        """Metrics that Keras shows, and resets before each epoch."""
        if getattr(self, "loss", None) is None:
            return [self.means]
        return [metric for metric in super().metrics if metric is not self.means]

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), **self._arguments}

    def train_step(self, data: Any) -> dict[str, tf.Tensor]:
        """Minimise the mean loss of a batch: one step of the optimizer."""
        if self.loss is not None:
            return super().train_step(data)
        batch = self._tensors(data)
        count = self.count(*batch)
        replica = tf.distribute.get_replica_context()
        total = replica.all_reduce(tf.distribute.ReduceOp.SUM, count)
        with replica_noise(self), tf.GradientTape() as tape:
            sums = [self.loss_sums(*part, training=True) for part in shard(batch, self.num_shards)]
            loss = self.optimizer.scale_loss(tf.add_n([part.loss for part in sums]) / total)
        weights = [variable.value for variable in self.trainable_variables]
        gradients = [tf.convert_to_tensor(gradient) for gradient in tape.gradient(loss, weights)]
        self.optimizer.apply(gradients, self.trainable_variables)
        return self._update(sums, count)

    def test_step(self, data: Any) -> dict[str, tf.Tensor]:
        """Evaluate one batch."""
        if self.loss is not None:
            return super().test_step(data)
        batch = self._tensors(data)
        parts = shard(batch, self.num_shards if self.shards_validation else 1)
        with replica_noise(self):
            sums = [self.loss_sums(*part, training=False) for part in parts]
        return self._update(sums, self.count(*batch))

    def _tensors(self, data: Any) -> list[tf.Tensor]:
        """Parts of a batch: a single tensor, (input, target), or more."""
        if not self.built:  # the loss may call its layers, which Keras cannot know
            self.build()
        return [tf.convert_to_tensor(part) for part in tf.nest.flatten(data) if part is not None]

    def _update(self, sums: Sequence[LossSums], count: tf.Tensor) -> dict[str, tf.Tensor]:
        totals = {n: tf.add_n([part.metrics[n] for part in sums]) for n in self.means.names}
        self.means.update_state(totals, count)
        return self.means.result()


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
