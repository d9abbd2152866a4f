"""Bases of Keras models: of those that return logits, and of those that sum their own loss."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import keras
import tensorflow as tf

from tf_models.errors import InputError

Shape = tuple[Any, ...]  # as Keras gives it to `build`: numbers, None where one is not known


def constructor_arguments(variables: dict[str, Any]) -> dict[str, Any]:
    """Arguments by name, from the `locals()` at the beginning of a constructor.

    Keras collects plain values of a layer by itself, but neither a dtype policy nor anything of a
    subclass of `keras.Model`.
    """
    not_own = ("self", "kwargs", "__class__")
    return {name: value for name, value in variables.items() if name not in not_own}


class LogitsModel(keras.Model):
    """Base of models that return (logits, attention weights by name).

    The loss and the metrics of `compile` see the logits alone; a list or dictionary of losses sees
    both outputs.

    inputs_of_call: names of the ids, (batch, len) each, that it is called with.
    """

    inputs_of_call: tuple[str, ...]

    def signature_of_call(self) -> list[tf.TensorSpec]:
        """What it is called with: ids, padded with 0, unless a subclass reads something else."""
        return [tf.TensorSpec((None, None), tf.int32, name) for name in self.inputs_of_call]

    def compute_loss(
        self,
        x: Any = None,
        y: Any = None,
        y_pred: Any = None,
        sample_weight: Any = None,
        training: bool = True,
    ) -> tf.Tensor:
        return super().compute_loss(x, y, self._compared(y_pred), sample_weight, training)

    def compute_metrics(
        self, x: Any, y: Any, y_pred: Any, sample_weight: Any = None
    ) -> dict[str, Any]:
        return super().compute_metrics(x, y, self._compared(y_pred), sample_weight)

    def _compared(self, outputs: tuple[tf.Tensor, Mapping[str, tf.Tensor]]) -> Any:
        return outputs if tf.nest.is_nested(self.loss) else outputs[0]

    def export(
        self,
        filepath: str | Path,
        format: str = "tf_saved_model",
        verbose: bool | None = None,
        input_signature: Sequence | None = None,
        **options: Any,
    ) -> None:
        """Write a SavedModel, whose `serve` takes the inputs of a call (see `signature_of_call`).

        It returns a dictionary with "logits" and, by their names, the attention weights. Other
        formats are as Keras writes them.
        """
        if format != "tf_saved_model":
            super().export(filepath, format, verbose, input_signature, **options)
            return

        def serve(*inputs: tf.Tensor) -> dict[str, tf.Tensor]:
            logits, weights = self(*inputs, training=False)
            return {"logits": logits, **weights}

        if not self.built:
            self.build()
        archive = keras.export.ExportArchive()
        archive.track(self)
        archive.add_endpoint("serve", serve, input_signature or self.signature_of_call())
        archive.write_out(str(filepath), verbose=verbose is not False)


class SummedLossModel(keras.Model):
    """Base of models whose loss is not a function of outputs and targets alone.

    Compile one with an optimizer alone. A subclass says in `sums` what its figures are and in
    `count` over what they are means; whoever adds up the sums of several parts of a batch gets
    those of the batch.

    Args:
        sum_names: of its figures, "loss" first.
    """

    def __init__(self, sum_names: Sequence[str], **kwargs: Any):
        super().__init__(**kwargs)
        self.sum_names = tuple(sum_names)
        self._means = [keras.metrics.Mean(name=name) for name in sum_names]

    def count(self, *batch: tf.Tensor) -> tf.Tensor:
        """Units in a batch, by which sums become means: a scalar, float32."""
        return tf.cast(tf.shape(batch[0])[0], tf.float32)

    def check(self, *batch: tf.Tensor) -> None:
        """Refuse a batch of `fit` or `evaluate` that `sums` is not made for."""

    def refuse_weights(self) -> None:
        """Raise an InputError: there are no sample weights in a sum over units."""
        raise InputError(f"{type(self).__name__} takes no sample weights; leave them out")

    def sums(self, *batch: tf.Tensor, training: bool) -> Mapping[str, tf.Tensor]:
        """Each of `sum_names` summed over a batch, scalars; "loss" is what training minimises."""
        raise NotImplementedError

    @property
    def metrics(self) -> list[keras.metrics.Metric]:
        """A running mean of each of `sum_names`; Keras resets them before each epoch."""
        return self._means

    def train_step(self, data: Any) -> dict[str, tf.Tensor]:
        """One step of the optimizer, as `fit` wants it."""
        batch = self._batch(data)
        with tf.GradientTape() as tape:
            sums = self.sums(*batch, training=True)
            loss = self.optimizer.scale_loss(sums["loss"] / self.count(*batch))
        weights = self.trainable_variables
        self.optimizer.apply(tape.gradient(loss, [w.value for w in weights]), weights)
        return self._log(sums, batch)

    def test_step(self, data: Any) -> dict[str, tf.Tensor]:
        """Evaluate one batch, as `evaluate` wants it."""
        batch = self._batch(data)
        return self._log(self.sums(*batch, training=False), batch)

    def _log(
        self, sums: Mapping[str, tf.Tensor], batch: tuple[tf.Tensor, ...]
    ) -> dict[str, tf.Tensor]:
        count = self.count(*batch)
        for mean in self.metrics:
            mean.update_state(sums[mean.name] / count, sample_weight=count)
        return {mean.name: mean.result() for mean in self.metrics}

    def _batch(self, data: Any) -> tuple[tf.Tensor, ...]:
        """A tensor alone, or the parts of (input, target), or more of them."""
        parts = data if isinstance(data, (tuple, list)) else (data,)
        if len(parts) == 3 and parts[2] is not None:
            self.refuse_weights()
        batch = tuple(tf.convert_to_tensor(part) for part in parts if part is not None)
        self.check(*batch)
        return batch
