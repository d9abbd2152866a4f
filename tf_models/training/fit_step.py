"""A compiled Keras model in this project's training loop."""

from collections.abc import Iterator

import keras
import tensorflow as tf

from tf_models.training.running_metrics import MetricTotals


class FitStep:
    """The train_step and the test_step that `fit` and `evaluate` of a compiled model call.

    The loop says how many batches to train on: so a run can stop within an epoch and go on exactly.

    Args:
        model: built and compiled.
        batch_spec: `element_spec` of the batches.
        unit: what a batch is made of.
    """

    def __init__(self, model: keras.Model, batch_spec: tuple[tf.TypeSpec, ...], unit: str):
        self.model, self.optimizer = model, model.optimizer
        self.totals = MetricTotals(model.metrics, unit)

        @tf.function
        def train_steps(batches, count):
            for _ in tf.range(count):
                batch = next(batches)
                model.train_step(batch)
                self.totals.add(tf.shape(batch[0])[0])

        @tf.function(input_signature=batch_spec)
        def validation_step(*batch):
            model.test_step(batch)
            self.totals.add(tf.shape(batch[0])[0])

        self._train_steps, self.validation_step = train_steps, validation_step

    def train_steps(self, batches: Iterator, count: int) -> None:
        """Train on the next batches, all in one call: a small model's step costs less than one."""
        self._train_steps(batches, tf.constant(count))
