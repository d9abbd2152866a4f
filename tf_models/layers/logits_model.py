"""A model that returns logits, and beside them the attention weights that people look at."""

from collections.abc import Mapping

import keras
import tensorflow as tf


class LogitsModel(keras.Model):
    """Base of models that return (logits, attention weights by name).

    The loss and the metrics of `compile` see the logits alone; a list or dictionary of losses sees
    both outputs.

    inputs_of_call: names of the ids, (batch, len) each, that it is called with.
    """

    inputs_of_call: tuple[str, ...]

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        return super().compute_loss(x, y, self._compared(y_pred), sample_weight, training)

    def compute_metrics(self, x, y, y_pred, sample_weight=None):
        return super().compute_metrics(x, y, self._compared(y_pred), sample_weight)

    def _compared(self, outputs: tuple[tf.Tensor, Mapping[str, tf.Tensor]]):
        return outputs if tf.nest.is_nested(self.loss) else outputs[0]

    def export(
        self, filepath, format="tf_saved_model", verbose=None, input_signature=None, **options
    ):
        """Write a SavedModel, whose `serve` takes the ids of a call and returns a dictionary.

        The ids are (batch, len), int32, padded with 0. The dictionary has "logits" and, by their
        names, the attention weights. Other formats are as Keras writes them.
        """
        if format != "tf_saved_model":
            super().export(filepath, format, verbose, input_signature, **options)
            return

        def serve(*ids):
            logits, weights = self(*ids, training=False)
            return {"logits": logits, **weights}

        if not self.built:
            self.build()
        ids = [tf.TensorSpec((None, None), tf.int32, name) for name in self.inputs_of_call]
        archive = keras.export.ExportArchive()
        archive.track(self)
        archive.add_endpoint("serve", serve, input_signature or ids)
        archive.write_out(str(filepath), verbose=verbose is not False)
