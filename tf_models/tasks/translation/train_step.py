"""One optimisation and one validation step of the Transformer, under a distribution strategy."""

from collections.abc import Iterator

import keras
import tensorflow as tf

from tf_models.ids import PADDING_ID
from tf_models.layers.linear_cross_entropy import Sums
from tf_models.layers.loss import real_tokens
from tf_models.training import batch_sharding as towers
from tf_models.training.running_metrics import TokenTotals


class TranslationStep:
    """Trains and validates on batches of (source ids, target ids), each (batch, len) int32.

    The loss of a batch is the mean over its real target tokens on all replicas together, so without
    dropout a batch gives the same gradient however many replicas share it. (With dropout, replicas
    draw the same noise, each for its own part.)

    A replica works on several parts of its batch at the same time (see `towers`), each with noise
    of its own.

    `train_step(inp, tar)` reads tar[:, :-1], predicts tar[:, 1:], and updates weights and totals;
    `validation_step(inp, tar)` updates the totals only.

    Args:
        model: a built Transformer.
        optimizer: built for the model's variables.
        strategy: the strategy under whose scope both were made.
        batch_spec: `element_spec` of the batches as the strategy distributes them.
        smoothing: of the labels, in training.
        r_drop: weight of R-Drop's term, for which each sentence is read twice; 0 for none.
        num_towers: parts of a replica's batch.
    """

    def __init__(
        self,
        model: keras.Model,
        optimizer: keras.optimizers.Optimizer,
        strategy: tf.distribute.Strategy,
        batch_spec: tuple[tf.TypeSpec, tf.TypeSpec],
        *,
        smoothing: float = 0.0,
        r_drop: float = 0.0,
        num_towers: int = 1,
    ):
        self.model, self.optimizer = model, optimizer
        self._smoothing, self._r_drop, self._towers = smoothing, r_drop, num_towers
        with strategy.scope():
            self.totals = TokenTotals()

        @tf.function(input_signature=batch_spec)
        def train_step(inp, tar):
            strategy.run(self._train_replica, args=(inp, tar))

        @tf.function(input_signature=batch_spec)
        def validation_step(inp, tar):
            strategy.run(self._validate_replica, args=(inp, tar))

        self.train_step, self.validation_step = train_step, validation_step

    def train_steps(self, batches: Iterator, count: int) -> None:
        """Take the next batches and do a `train_step` on each; such a step is long enough."""
        for _ in range(count):
            self.train_step(*next(batches))

    def _train_replica(self, inp, tar):
        tokens = tf.distribute.get_replica_context().all_reduce(
            tf.distribute.ReduceOp.SUM, _count_tokens(tar)
        )
        parts = towers.split((inp, tar), self._towers)
        trained = (self._train_tower(*part, tokens) for part in parts)
        gradients, sums = zip(*trained, strict=True)
        self.optimizer.apply(towers.add_up(gradients), self.model.trainable_variables)
        self._count(tar, sums)

    def _train_tower(self, inp, tar, tokens):
        with tf.GradientTape() as tape:
            sums = self._sums(inp, tar, self._smoothing, training=True)
            loss = sums.loss / tokens
        weights = [variable.value for variable in self.model.trainable_variables]
        return tape.gradient(loss, weights), sums

    def _validate_replica(self, inp, tar):
        parts = towers.split((inp, tar), self._towers)
        self._count(tar, [self._sums(*part, smoothing=0.0, training=False) for part in parts])

    def _sums(self, inp, tar, smoothing: float, training: bool) -> Sums:
        real = tf.where(tf.not_equal(tar[:, 1:], PADDING_ID))  # (tokens, 2)
        labels = tf.gather_nd(tar[:, 1:], real)
        r_drop = self._r_drop if training else 0.0
        times = 2 if r_drop else 1
        inp, tar = tf.tile(inp, (times, 1)), tf.tile(tar, (times, 1))
        states, _ = self.model.decoder_states(inp, tar[:, :-1], training=training)
        readings = [tf.gather_nd(reading, real) for reading in tf.split(states, times)]
        states = tf.reshape(tf.stack(readings, axis=1), (-1, states.shape[-1]))
        if not training:  # in 16 bits many ids would share the greatest probability
            states = tf.cast(states, tf.float32)
        sums = self.model.cross_entropy(states, tf.repeat(labels, times), smoothing, r_drop)
        return Sums(*(each / times for each in sums))

    def _count(self, tar, sums: list[Sums]):
        self.totals.add(
            tf.add_n([part.cross_entropy for part in sums]),
            tf.add_n([part.correct for part in sums]),
            _count_tokens(tar),
        )


def _count_tokens(tar: tf.Tensor) -> tf.Tensor:
    return tf.reduce_sum(real_tokens(tar[:, 1:]))
