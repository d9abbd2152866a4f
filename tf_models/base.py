"""Base of the models that state their own loss, in Keras' protocol.

A model says `call` and `loss_sums`: its loss as sums over its units (tokens, images). Sums of
shards add up to those of the batch, so a batch gives the same gradient however it is cut.
`model.fit` and `tf_models.training.loop` both call `train_step`.
"""

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

import keras
import tensorflow as tf

from tf_models.errors import InputError
from tf_models.loss_sums import (
    LossSums,
    Means,
    clip_whole_gradient,
    named_data,
    replica_noise,
    shard,
    sum_over_replicas,
)

Batch = dict[str, tf.Tensor]  # data of `loss_sums` by the names of its arguments
OPTIONS = ("training", "sample_weight")  # its other arguments


class SummedLossModel(keras.Model):
    """Base of models that state their own loss.

    `compile` one with an optimizer alone. A loss given to `compile` takes the place of the model's
    own, as in any Keras model. Losses and metrics of `compile` compare labels with the first output
    of `call`; metrics beside the model's own loss cost a call of their own.

    A batch is x, (x, y) or (x, y, sample weights), as Keras has it. The parts of x, then those of
    y, are the arguments of `loss_sums` in their order; those of a dictionary, by name.

    Args:
        metric_names: names of the metrics of `loss_sums`, "loss" first.

    Attributes:
        unit: plural name of the units that the sums are over.
        num_shards: parts that a batch is cut into, one for each core.
        shards_validation: True if validation batches are cut, too; False for models that sample:
            their noise must not depend on the number of cores.
        has_classes: True if the labels are classes, which `class_weight` may weigh.

    Raises:
        InputError: in `fit`, `evaluate` and `predict`, the data are not those of `loss_sums`.
    """

    unit = "examples"
    num_shards = 1
    shards_validation = True
    has_classes = False
    _arguments: Mapping[str, Any] = {}  # what the constructor got, for `get_config`

    def __init__(self, metric_names: Sequence[str] = ("loss", "accuracy"), **kwargs: Any):
        super().__init__(**kwargs)
        self.means = Means(metric_names)

    def build(self, *shapes: Any) -> None:
        """Do nothing: all sizes are known at construction, and layers come built."""

    def loss_sums(
        self, *data: tf.Tensor, training: bool, sample_weight: tf.Tensor | None = None
    ) -> LossSums:
        """Sums over a batch of tensors (batch, …).

        Sample weights, (batch,), are factors of the losses, not of other metrics.
        """
        raise NotImplementedError

    def count(self, *data: tf.Tensor) -> tf.Tensor:
        """Units of a batch: a scalar, float32."""
        return tf.cast(tf.shape(data[0])[0], tf.float32)

    def inputs_and_labels(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Inputs of `call`, and the labels that a loss of `compile` compares."""
        return x, y

    def symbolic_inputs(self) -> list[keras.KerasTensor]:
        """Inputs of `call` for `export`, as `keras.Input` makes them."""
        raise NotImplementedError

    @property
    def metrics(self) -> list[keras.metrics.Metric]:
        """Metrics that Keras shows, and resets before each epoch; the loss first."""
        others = [metric for metric in super().metrics if metric is not self.means]
        if self.loss is not None:
            return others
        return [*self.means.columns, *(metric for metric in others if metric.name != "loss")]

    def fit(
        self, x: Any = None, y: Any = None, *args: Any, class_weight: Any = None, **options: Any
    ) -> Any:
        """Fit as in Keras."""
        if class_weight is not None and not self.has_classes:
            raise InputError(f"{type(self).__name__} has no classes to weigh; give sample_weight")
        _check_weights(y, options)
        return super().fit(x, y, *args, class_weight=class_weight, **options)

    def evaluate(self, x: Any = None, y: Any = None, *args: Any, **options: Any) -> Any:
        """Evaluate as in Keras."""
        _check_weights(y, options)
        return super().evaluate(x, y, *args, **options)

    def train_step(self, data: Any) -> dict[str, tf.Tensor]:
        """Minimise the mean loss of a batch: one step of the optimizer."""
        x, y, sample_weight = keras.utils.unpack_x_y_sample_weight(data)
        if self.loss is not None:
            return super().train_step((*self.inputs_and_labels(x, y), sample_weight))
        batch = self.named_data(x, y)
        count = self.count(*batch.values())
        with replica_noise(self), tf.GradientTape() as tape:
            sums = self._sums(batch, sample_weight, self.num_shards, training=True)
            total = tf.add_n([part.loss for part in sums])
            loss = tf.math.divide_no_nan(total, sum_over_replicas(count))
            loss = self.optimizer.scale_loss(loss)
        weights = [variable.value for variable in self.trainable_variables]
        gradients = clip_whole_gradient(tape.gradient(loss, weights), self.optimizer)
        self.optimizer.apply(gradients, self.trainable_variables)
        return self._results(sums, count, data)

    def test_step(self, data: Any) -> dict[str, tf.Tensor]:
        """Evaluate one batch."""
        x, y, sample_weight = keras.utils.unpack_x_y_sample_weight(data)
        if self.loss is not None:
            return super().test_step((*self.inputs_and_labels(x, y), sample_weight))
        batch = self.named_data(x, y)
        num_shards = self.num_shards if self.shards_validation else 1
        with replica_noise(self):
            sums = self._sums(batch, sample_weight, num_shards, training=False)
        return self._results(sums, self.count(*batch.values()), data)

    def predict_step(self, data: Any) -> Any:
        """Outputs of `call` for a batch, with its targets or without."""
        x, y, _ = keras.utils.unpack_x_y_sample_weight(data)
        names = inspect.signature(self.call).parameters
        inputs = {name: value for name, value in self.named_data(x, y).items() if name in names}
        return self(inputs, training=False)

    def __call__(self, *inputs: Any, **options: Any) -> Any:
        """Call with tensors, or with a tuple or a dictionary of them."""
        if len(inputs) == 1 and isinstance(inputs[0], Mapping):
            return super().__call__(**inputs[0], **options)
        if len(inputs) == 1 and isinstance(inputs[0], tuple | list):
            return super().__call__(*inputs[0], **options)
        return super().__call__(*inputs, **options)

    def compute_loss(
        self,
        x: Any = None,
        y: Any = None,
        y_pred: Any = None,
        sample_weight: Any = None,
        training: bool = True,
    ) -> tf.Tensor:
        """Loss of `compile`, of labels and the first output of `call`."""
        return super().compute_loss(x, y, _first(y_pred), sample_weight, training)

    def compute_metrics(
        self, x: Any, y: Any, y_pred: Any, sample_weight: Any = None
    ) -> dict[str, tf.Tensor]:
        """Metrics of `compile`, of labels and the first output of `call`."""
        return super().compute_metrics(x, y, _first(y_pred), sample_weight)

    def export(self, filepath: Any, *args: Any, **options: Any) -> None:
        """Export `call` to its first output, as `keras.Model.export`."""
        inputs = self.symbolic_inputs()
        outputs = _first(self(inputs))
        served = inputs if len(inputs) > 1 else inputs[0]
        keras.Model(served, outputs).export(filepath, *args, **options)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), **self._arguments}

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        """Children for `tf.train.Checkpoint`, which misses lists of layers."""
        children = super()._trackable_children(save_type, **kwargs)
        if save_type == "checkpoint":
            children |= {f"variable_{i}": v.value for i, v in enumerate(self.variables)}
        return children

    def named_data(self, x: Any, y: Any) -> Batch:
        """Data of `loss_sums` by name; an InputError if they are of another form."""
        names = [
            name for name in inspect.signature(self.loss_sums).parameters if name not in OPTIONS
        ]
        try:
            return named_data(names, x, y)
        except InputError as error:
            raise InputError(f"{type(self).__name__} takes {', '.join(names)}; {error}") from None

    def _sums(
        self, batch: Batch, sample_weight: tf.Tensor | None, num_shards: int, training: bool
    ) -> list[LossSums]:
        """Sums of each shard, with regularisers and `add_loss` of the layers."""
        weighted = batch
        if sample_weight is not None:  # Keras repeats it for each of several targets
            weighted = {**batch, "sample_weight": tf.nest.flatten(sample_weight)[0]}
        all_sums = []
        for part in shard(weighted, num_shards):
            sums = self.loss_sums(**part, training=training)
            if self.losses:  # means over a batch, of which a shard has its share
                data = (part[name] for name in batch)
                penalty = tf.add_n(self.losses) * self.count(*data)
                metrics = {**sums.metrics, "loss": sums.metrics["loss"] + penalty}
                sums = LossSums(sums.loss + penalty, metrics)
            all_sums.append(sums)
        return all_sums

    def _results(
        self, sums: Sequence[LossSums], count: tf.Tensor, data: Any
    ) -> dict[str, tf.Tensor]:
        """Means so far, after those of a batch, and the metrics of `compile`."""
        totals = {
            name: tf.add_n([part.metrics[name] for part in sums]) for name in self.means.names
        }
        self.means.update_state(totals, count)
        if self._compile_metrics is None:
            return self.means.result()
        x, y, sample_weight = keras.utils.unpack_x_y_sample_weight(data)
        inputs, labels = self.inputs_and_labels(x, y)
        outputs = self(inputs, training=False)
        return self.compute_metrics(inputs, labels, outputs, sample_weight)


def _check_weights(y: Any, options: Mapping[str, Any]) -> None:
    """Refuse sample weights that Keras would drop without a word."""
    if options.get("sample_weight") is not None and y is None:
        raise InputError("sample_weight needs targets beside the inputs; give them twice: (x, x)")


def _first(outputs: Any) -> Any:
    """Logits or images, without the attention weights beside them."""
    return outputs[0] if isinstance(outputs, tuple | list) else outputs
