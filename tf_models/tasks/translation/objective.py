"""What training minimises, and what it reports, of a model that translates."""

import tensorflow as tf

from tf_models.layers.loss import real_tokens
from tf_models.tasks.translation.architectures import TranslationModel
from tf_models.training.train_step import BatchSums


class TranslationObjective:
    """Cross-entropy of the real target tokens, for `tf_models.training.train_step.TrainStep`.

    Args:
        model: to be trained.
        smoothing: label smoothing, in training.
        r_drop: weight of R-Drop's term, in training; 0 for none.
    """

    unit = "tokens"
    names = ("loss", "accuracy")

    def __init__(self, model: TranslationModel, *, smoothing: float = 0.0, r_drop: float = 0.0):
        self._model, self._smoothing, self._r_drop = model, smoothing, r_drop

    def count(self, inp: tf.Tensor, tar: tf.Tensor) -> tf.Tensor:
        """Real tokens that are predicted: a scalar, float32."""
        return tf.reduce_sum(real_tokens(tar[:, 1:]))

    def sums(self, inp: tf.Tensor, tar: tf.Tensor, training: bool) -> BatchSums:
        """Sums over the real tokens of source ids (batch, inp_len) and target ids (batch, tar_len).

        Validation knows neither label smoothing nor R-Drop.
        """
        sums = self._model.token_sums(
            inp,
            tar,
            training=training,
            smoothing=self._smoothing if training else 0.0,
            r_drop=self._r_drop if training else 0.0,
        )
        return BatchSums(sums.loss, {"loss": sums.cross_entropy, "accuracy": sums.correct})
