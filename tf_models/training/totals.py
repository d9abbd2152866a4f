"""Running sums over the tokens of an epoch."""

import tensorflow as tf


class Totals:
    """Loss, hits and number of tokens, summed over batches and replicas.

    Make it under the strategy's scope. `variables` belong into a checkpoint, so that the figures
    of an interrupted epoch go on where they stood.
    """

    def __init__(self):
        self.variables = {
            name: tf.Variable(
                tf.zeros((), tf.float64),
                synchronization=tf.VariableSynchronization.ON_READ,
                aggregation=tf.VariableAggregation.SUM,
                trainable=False,
                name=name,
            )
            for name in ("loss", "hits", "tokens")
        }

    def add(self, loss: tf.Tensor, hits: tf.Tensor, tokens: tf.Tensor) -> None:
        """Add the sums of one batch (scalars)."""
        for variable, value in zip(self.variables.values(), (loss, hits, tokens), strict=True):
            variable.assign_add(tf.cast(value, tf.float64))

    def reset(self) -> None:
        """Start at zero again."""
        for variable in self.variables.values():
            variable.assign(0.0)

    @property
    def tokens(self) -> float:
        """Number of tokens so far."""
        return float(self.variables["tokens"].read_value())

    def means(self) -> dict[str, float]:
        """Loss in nats and accuracy, each the mean over the tokens so far."""
        tokens = max(self.tokens, 1.0)
        return {
            "loss": float(self.variables["loss"].read_value()) / tokens,
            "accuracy": float(self.variables["hits"].read_value()) / tokens,
        }
