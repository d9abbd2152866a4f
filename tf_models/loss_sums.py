"""Sums of a loss and of metrics over units, shards and replicas."""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import keras
import tensorflow as tf

from tf_models.errors import InputError


class LossSums(NamedTuple):
    """Float32 sums over the units of a batch: the loss, and the metrics."""

    loss: tf.Tensor
    metrics: Mapping[str, tf.Tensor]  # to show, with "loss" among them


def weighted(losses: tf.Tensor, sample_weight: tf.Tensor | None) -> tf.Tensor:
    """Losses (batch,) times their weights, if there are any."""
    if sample_weight is None:
        return losses
    return losses * tf.reshape(tf.cast(sample_weight, losses.dtype), (-1,))


def named_data(names: Sequence[str], x: Any, y: Any) -> dict[str, tf.Tensor]:
    """Tensors of inputs x and targets y by name, in the order of `names`.

    Those of a dictionary have names; others get the names that are left, in order.

    Raises:
        InputError: there are others than these, or ragged ones.
    """
    named: dict[str, tf.Tensor] = {}
    unnamed: list[tf.Tensor] = []
    for part in (x, y):
        if isinstance(part, Mapping):
            named.update(part)
        else:
            unnamed += [tensor for tensor in tf.nest.flatten(part) if tensor is not None]
    free = [name for name in names if name not in named]
    if len(unnamed) > len(free) or not named.keys() <= set(names):
        raise InputError(f"received {', '.join(named) or f'{len(unnamed)} tensors'}")
    data = named | dict(zip(free, unnamed, strict=False))
    if any(isinstance(tensor, tf.RaggedTensor) for tensor in data.values()):
        raise InputError("received ragged tensors: pad them with to_tensor()")
    return {name: tf.convert_to_tensor(data[name]) for name in names if name in data}


class Means(keras.metrics.Metric):
    """Means of named sums over batches and replicas, all in one variable.

    Attributes:
        columns: a Keras metric for each name, in order, as `keras.Model.metrics` lists them.
    """

    def __init__(self, names: Sequence[str]):
        super().__init__(name="means")
        self.names = tuple(names)
        shape = (len(self.names) + 1,)  # the sums, and last the number of units
        self.totals = keras.Variable("zeros", shape, "float64", trainable=False, aggregation="none")
        self.columns = tuple(_Column(self, name) for name in self.names)

    def update_state(self, sums: Mapping[str, tf.Tensor], count: tf.Tensor) -> None:
        """Add sums over `count` units; each replica gets those of all replicas."""
        values = [tf.cast(value, tf.float64) for value in (*map(sums.get, self.names), count)]
        self.totals.assign_add(sum_over_replicas(tf.stack(values)))

    def result(self) -> dict[str, tf.Tensor]:
        """Means of the sums so far, by name."""
        means = tf.math.divide_no_nan(self.totals[:-1], self.totals[-1])
        return dict(zip(self.names, tf.unstack(means), strict=True))


class _Column(keras.metrics.Metric):
    """One mean of several, which all have one variable."""

    def __init__(self, means: Means, name: str):
        super().__init__(name=name)
        self._read = lambda: means  # in an attribute, Keras would take it for a part of this one

    def result(self) -> tf.Tensor:
        return self._read().result()[self.name]

    def reset_state(self) -> None:
        self._read().reset_state()


def shard(batch: Any, num_shards: int) -> list[Any]:
    """Shards of nested tensors (batch, …), of every n-th example each.

    Some may be empty.
    """
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
    inner = getattr(optimizer, "inner_optimizer", optimizer)  # inside a LossScaleOptimizer
    whole = sum_over_replicas([dense[i] for i in reached])
    clipped = inner._clip_gradients([gradient / scale for gradient in whole])
    for i, gradient in zip(reached, clipped, strict=True):
        dense[i] = gradient * (scale / replicas)
    return dense
