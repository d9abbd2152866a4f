"""Base of the models that read one sequence of ids and write another."""

from typing import Any

import keras
import tensorflow as tf

from tf_models.base import SummedLossModel
from tf_models.losses import real_tokens


def teacher_forcing(tar: tf.Tensor, labels: tf.Tensor | None = None) -> tuple[tf.Tensor, tf.Tensor]:
    """The tutorial's tar_inp and tar_real: the ids read, and those to predict.

    Target ids (batch, tar_len) are read without the last and predicted without the first; with
    `labels`, the ids after each, they are read whole.

    Example:
        >>> tar_inp, tar_real = teacher_forcing(tf.constant([[8, 3, 4, 9]]))
        >>> print(tar_inp.numpy(), tar_real.numpy())
        [[8 3 4]] [[3 4 9]]
    """
    return (tar[:, :-1], tar[:, 1:]) if labels is None else (tar, labels)


class SequenceToSequenceModel(SummedLossModel):
    """Base of models called with source ids and target ids, (batch, len) each.

    Fit one on (inp, tar), of which it makes the tutorial's tar_inp and tar_real itself, or on
    ((inp, tar_inp), tar_real).
    """

    unit = "tokens"

    def count(self, inp: tf.Tensor, tar: tf.Tensor, labels: tf.Tensor | None = None) -> tf.Tensor:
        """Number of real tokens to predict."""
        return tf.reduce_sum(real_tokens(teacher_forcing(tar, labels)[1]))

    def inputs_and_labels(self, x: Any, y: Any) -> tuple[Any, Any]:
        data = self.named_data(x, y)
        tar_inp, tar_real = teacher_forcing(data["tar"], data.get("labels"))
        return (data["inp"], tar_inp), tar_real

    def symbolic_inputs(self) -> list[keras.KerasTensor]:
        return [keras.Input((None,), dtype="int32", name=name) for name in ("inp", "tar")]
