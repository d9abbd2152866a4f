"""Base of Keras models that return logits and attention weights."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import keras
import tensorflow as tf

from tf_models.training.step import SummedLossModel

Shape = tuple[Any, ...]  # as Keras gives it to `build`: numbers, None where one is not known


def constructor_arguments(variables: dict[str, Any]) -> dict[str, Any]:
    """Arguments by name, from the `locals()` at the beginning of a constructor.

    Keras collects plain values of a layer by itself, but neither a dtype policy nor anything of a
    subclass of `keras.Model`.
    """
    not_own = ("self", "kwargs", "__class__")
    return {name: value for name, value in variables.items() if name not in not_own}


class LogitsModel(SummedLossModel):
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
