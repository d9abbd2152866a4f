"""Running means over an epoch, which a checkpoint keeps."""

from collections.abc import Mapping, Sequence

import numpy as np
import tensorflow as tf


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
