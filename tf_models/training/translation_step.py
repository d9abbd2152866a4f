"""One optimisation and one validation step of the Transformer, under a distribution strategy."""

import keras
import tensorflow as tf

from tf_models.training.totals import Totals
from tf_models.transformer.loss import real_tokens, token_hits, token_losses


class TranslationStep:
    """Trains and validates on batches of (source ids, target ids), each (batch, len) int32.

    The loss of a batch is the mean over its real target tokens on all replicas together, so without
    dropout a batch gives the same gradient however many replicas share it. (With dropout, replicas
    draw the same noise, each for its own part.)

    `train_step(inp, tar)` reads tar[:, :-1], predicts tar[:, 1:], and updates weights and totals;
    `validation_step(inp, tar)` updates the totals only.

    Args:
        model: a built Transformer.
        optimizer: built for the model's variables.
        strategy: the strategy under whose scope both were made.
        batch_spec: `element_spec` of the batches as the strategy distributes them.
    """

    def __init__(
        self,
        model: keras.Model,
        optimizer: keras.optimizers.Optimizer,
        strategy: tf.distribute.Strategy,
        batch_spec: tuple[tf.TypeSpec, tf.TypeSpec],
    ):
        self.model, self.optimizer = model, optimizer
        with strategy.scope():
            self.totals = Totals()

        @tf.function(input_signature=batch_spec)
        def train_step(inp, tar):
            strategy.run(self._train_replica, args=(inp, tar))

        @tf.function(input_signature=batch_spec)
        def validation_step(inp, tar):
            strategy.run(self._validate_replica, args=(inp, tar))

        self.train_step, self.validation_step = train_step, validation_step

    def _train_replica(self, inp, tar):
        tar_inp, tar_real = tar[:, :-1], tar[:, 1:]
        tokens = tf.distribute.get_replica_context().all_reduce(
            tf.distribute.ReduceOp.SUM, tf.reduce_sum(real_tokens(tar_real))
        )
        with tf.GradientTape() as tape:
            predictions, _ = self.model(inp, tar_inp, training=True)
            losses = token_losses(tar_real, predictions)  # (batch, tar_len)
            loss = tf.reduce_sum(losses) / tokens
        weights = [variable.value for variable in self.model.trainable_variables]
        self.optimizer.apply(tape.gradient(loss, weights), self.model.trainable_variables)
        self._count(tar_real, predictions, losses)

    def _validate_replica(self, inp, tar):
        tar_inp, tar_real = tar[:, :-1], tar[:, 1:]
        predictions, _ = self.model(inp, tar_inp, training=False)
        self._count(tar_real, predictions, token_losses(tar_real, predictions))

    def _count(self, real, predictions, losses):
        self.totals.add(
            tf.reduce_sum(losses),
            tf.reduce_sum(token_hits(real, predictions)),
            tf.reduce_sum(real_tokens(real)),
        )
