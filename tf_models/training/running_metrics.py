"""Running sums over an epoch."""

from collections.abc import Sequence

import keras
import tensorflow as tf


class TokenTotals:
    """Loss, correct and number of tokens, summed over batches and replicas.

    Make it under the strategy's scope. `variables` belong into a checkpoint, so that the figures
    of an interrupted epoch go on where they stood.
    """

    unit = "tokens"

    def __init__(self):
        self.variables = {
            name: tf.Variable(
                tf.zeros((), tf.float64),
                synchronization=tf.VariableSynchronization.ON_READ,
                aggregation=tf.VariableAggregation.SUM,
                trainable=False,
                name=name,
            )
            for name in ("loss", "correct", "tokens")
        }

    def add(self, loss: tf.Tensor, correct: tf.Tensor, tokens: tf.Tensor) -> None:
        """Add the sums of one batch (scalars)."""
        for variable, value in zip(self.variables.values(), (loss, correct, tokens), strict=True):
            variable.assign_add(tf.cast(value, tf.float64))

    def reset(self) -> None:
        """Start at zero again."""
        for variable in self.variables.values():
            variable.assign(0.0)

    @property
    def count(self) -> float:
        """Number of tokens so far."""
        return float(self.variables["tokens"].read_value())

    def means(self) -> dict[str, float]:
        """Loss in nats and accuracy, each the mean over the tokens so far."""
        tokens = max(self.count, 1.0)
        return {
            "loss": float(self.variables["loss"].read_value()) / tokens,
            "accuracy": float(self.variables["correct"].read_value()) / tokens,
        }


class MetricTotals:
    """The metrics of a compiled Keras model, and the number of images that they are of.

    Args:
        metrics: of the model; its train_step and test_step update them.
        unit: what is counted.
    """

    def __init__(self, metrics: Sequence[keras.metrics.Metric], unit: str = "images"):
        self.unit, self._metrics = unit, metrics
        self._count = tf.Variable(0, dtype=tf.int64, trainable=False)
        self.variables = {"count": self._count} | {
            f"{metric.name}_{i}": variable.value
            for metric in metrics
            for i, variable in enumerate(metric.variables)
        }

    def add(self, count: tf.Tensor) -> None:
        """Count the images of one batch."""
        self._count.assign_add(tf.cast(count, tf.int64))

    def reset(self) -> None:
        """Start at zero again."""
        self._count.assign(0)
        for metric in self._metrics:
            metric.reset_state()

    @property
    def count(self) -> float:
        """Number of images so far."""
        return float(self._count.numpy())

    def means(self) -> dict[str, float]:
        """The metrics by name."""
        return {metric.name: float(metric.result()) for metric in self._metrics}
