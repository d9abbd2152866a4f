"""What training minimises, and what it reports, of a model that says so itself."""

from collections.abc import Callable, Mapping
from typing import Protocol

import tensorflow as tf

from tf_models.training.train_step import BatchSums


class ModelWithSums(Protocol):
    """What is asked of the model: all of `tf_models.layers.summed_loss.SummedLossModel`.

    sum_names: of its figures, "loss" first.
    count: units in a batch, a scalar.
    """

    sum_names: tuple[str, ...]
    count: Callable[..., tf.Tensor]

    def sums(self, *batch: tf.Tensor, training: bool) -> Mapping[str, tf.Tensor]:
        """Each of `sum_names` summed over a batch, scalars."""


class SummedLossObjective:
    """The model's own sums, for `tf_models.training.train_step.TrainStep`.

    Args:
        model: a VAE, say.
        unit: what a batch is made of.
    """

    def __init__(self, model: ModelWithSums, unit: str):
        self._model, self.unit, self.names = model, unit, model.sum_names
        self.count = model.count

    def sums(self, *batch: tf.Tensor, training: bool) -> BatchSums:
        """Of a batch, as the model has them."""
        sums = self._model.sums(*batch, training=training)
        return BatchSums(sums["loss"], sums)
