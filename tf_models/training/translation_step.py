"""One optimisation and one validation step of the Transformer, under a distribution strategy."""

import keras
import tensorflow as tf

from tf_models.ids import PADDING_ID
from tf_models.training.totals import TokenTotals
from tf_models.transformer.linear_cross_entropy import Sums
from tf_models.transformer.loss import real_tokens


class TranslationStep:
    """Trains and validates on batches of (source ids, target ids), each (batch, len) int32.

    The loss of a batch is the mean over its real target tokens on all replicas together, so without
    dropout a batch gives the same gradient however many replicas share it. (With dropout, replicas
    draw the same noise, each for its own part.)

    A replica works on `towers` parts of its batch at the same time, each with noise of its own.
    They share the weights, and their gradients are added up.

    `train_step(inp, tar)` reads tar[:, :-1], predicts tar[:, 1:], and updates weights and totals;
    `validation_step(inp, tar)` updates the totals only.

    Args:
        model: a built Transformer.
        optimizer: built for the model's variables.
        strategy: the strategy under whose scope both were made.
        batch_spec: `element_spec` of the batches as the strategy distributes them.
        smoothing: of the labels, in training.
        towers: parts of a replica's batch.
    """

    def __init__(
        self,
        model: keras.Model,
        optimizer: keras.optimizers.Optimizer,
        strategy: tf.distribute.Strategy,
        batch_spec: tuple[tf.TypeSpec, tf.TypeSpec],
        *,
        smoothing: float = 0.0,
        towers: int = 1,
    ):
        self.model, self.optimizer = model, optimizer
        self._smoothing, self._towers = smoothing, towers
        with strategy.scope():
            self.totals = TokenTotals()

        @tf.function(input_signature=batch_spec)
        def train_step(inp, tar):
            strategy.run(self._train_replica, args=(inp, tar))

        @tf.function(input_signature=batch_spec)
        def validation_step(inp, tar):
            strategy.run(self._validate_replica, args=(inp, tar))

        self.train_step, self.validation_step = train_step, validation_step

    def _train_replica(self, inp, tar):
        tokens = tf.distribute.get_replica_context().all_reduce(
            tf.distribute.ReduceOp.SUM, _count_tokens(tar)
        )
        towers = [self._train_tower(*part, tokens) for part in self._parts(inp, tar)]
        gradients, sums = zip(*towers, strict=True)
        summed = [_add_up(of_variable) for of_variable in zip(*gradients, strict=True)]
        self.optimizer.apply(summed, self.model.trainable_variables)
        self._count(tar, sums)

    def _train_tower(self, inp, tar, tokens):
        with tf.GradientTape() as tape:
            sums = self._sums(inp, tar, self._smoothing, training=True)
            loss = sums.loss / tokens
        weights = [variable.value for variable in self.model.trainable_variables]
        return tape.gradient(loss, weights), sums

    def _validate_replica(self, inp, tar):
        parts = self._parts(inp, tar)
        self._count(tar, [self._sums(*part, smoothing=0.0, training=False) for part in parts])

    def _parts(self, inp, tar):
        """Every n-th sentence: a batch is sorted by length, so that parts are alike."""
        return [(inp[i :: self._towers], tar[i :: self._towers]) for i in range(self._towers)]

    def _sums(self, inp, tar, smoothing: float, training: bool) -> Sums:
        states, _ = self.model.decoder_states(inp, tar[:, :-1], training=training)
        real = tf.where(tf.not_equal(tar[:, 1:], PADDING_ID))  # (tokens, 2)
        states, labels = tf.gather_nd(states, real), tf.gather_nd(tar[:, 1:], real)
        return self.model.cross_entropy(states, labels, smoothing)

    def _count(self, tar, sums: list[Sums]):
        self.totals.add(
            tf.add_n([part.cross_entropy for part in sums]),
            tf.add_n([part.hits for part in sums]),
            _count_tokens(tar),
        )


def _count_tokens(tar: tf.Tensor) -> tf.Tensor:
    return tf.reduce_sum(real_tokens(tar[:, 1:]))


def _add_up(gradients: list[tf.Tensor | tf.IndexedSlices]) -> tf.Tensor:
    if all(isinstance(gradient, tf.IndexedSlices) for gradient in gradients):
        slices = tf.IndexedSlices(
            tf.concat([g.values for g in gradients], axis=0),
            tf.concat([g.indices for g in gradients], axis=0),
            gradients[0].dense_shape,
        )
        return tf.convert_to_tensor(slices)
    return tf.add_n([tf.convert_to_tensor(gradient) for gradient in gradients])
