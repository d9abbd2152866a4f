"""What training minimises, and what it reports, of a model that translates."""

import keras
import numpy as np
import tensorflow as tf

from tf_models.ids import PADDING_ID
from tf_models.layers.loss import TokenSums, real_tokens
from tf_models.tasks.translation.protocol import TranslationModel
from tf_models.training.train_step import BatchSums


class TranslationObjective:
    """Cross-entropy of the real target tokens, for `tf_models.training.train_step.TrainStep`.

    Args:
        smoothing: label smoothing, in training.
    """

    unit = "tokens"
    names = ("loss", "accuracy")

    def __init__(self, model: TranslationModel, *, smoothing: float = 0.0):
        self.model, self._smoothing = model, smoothing
        self.outputs = getattr(model, "outputs", None)  # not asked of every model

    def count(self, inp: tf.Tensor, tar: tf.Tensor) -> tf.Tensor:
        """Real tokens that are predicted: a scalar, float32."""
        return tf.reduce_sum(real_tokens(tar[:, 1:]))

    def sums(self, inp: tf.Tensor, tar: tf.Tensor, training: bool) -> BatchSums:
        """Sums over the real tokens of source ids (batch, inp_len) and target ids (batch, tar_len).

        Validation knows no label smoothing.
        """
        smoothing = self._smoothing if training else 0.0
        sums = self.model.token_sums(inp, tar, training=training, smoothing=smoothing)
        return BatchSums(sums.loss, {"loss": sums.cross_entropy, "accuracy": sums.correct})


class TokenLossMixin:
    """`TranslationModel.token_sums` of a model whose `network` has

    - decoder_states(inp, tar, training=…): what the output layer reads, (batch, tar_len, width),
      and attention weights;
    - cross_entropy(states, labels, smoothing): output layer and loss in one, of states
      (tokens, width) and labels (tokens,).

    The logits of the real tokens alone are computed.
    """

    network: keras.Model

    def token_sums(
        self, inp: tf.Tensor, tar: tf.Tensor, *, training: bool, smoothing: float = 0.0
    ) -> TokenSums:
        """Losses of a batch (see `TranslationModel`)."""
        real = tf.where(tf.not_equal(tar[:, 1:], PADDING_ID))  # (tokens, 2)
        labels = tf.gather_nd(tar[:, 1:], real)
        states, _ = self.network.decoder_states(inp, tar[:, :-1], training=training)
        states = tf.gather_nd(states, real)  # (tokens, width)
        if not training:  # in 16 bits many ids would share the greatest probability
            states = tf.cast(states, tf.float32)
        return self.network.cross_entropy(states, labels, smoothing)

    def outputs(self) -> np.ndarray:
        """What the output layer reads of two fixed pairs (see `tf_models.training.outputs`): the
        first numbers of each state, (2, 2, 16) at most. Their ids are in every vocabulary.
        """
        inp, tar = tf.constant([[2, 3, 4], [5, 6, 7]]), tf.constant([[3, 6], [4, 7]])
        states, _ = self.network.decoder_states(inp, tar, training=False)
        return tf.cast(states[..., :16], tf.float32).numpy()
