"""A sentence through one vector and back (lecture 7; Sutskever et al. 2014, section 2)."""

import keras
import tensorflow as tf

from tf_models.errors import InputError
from tf_models.ids import PADDING_ID


@keras.saving.register_keras_serializable(package="tf_models")
class SequenceAutoencoder(keras.Model):
    """An LSTM reads a sentence; its final state is the first state of an LSTM that writes it again.

    In training the decoder reads the right token before each one that it predicts (teacher
    forcing); `reconstruct` lets it read its own predictions.

    Compile it with an optimizer alone and fit it on pairs (ids, ids) of a sentence, start and end
    tokens included, (batch, len) each. Call it with `(inp, tar_inp)`, where tar_inp lacks the end
    token: it returns logits (batch, len - 1, vocab_size).

    Args:
        vocab_size: number of ids; padding, start and end tokens included.
        embedding_dim: width of the embeddings.
        units: of the encoder's LSTM, in each direction.
        bidirectional: whether a second LSTM reads the sentence backwards; the decoder's state is
            then both final states side by side.
        rate: of dropout on the embeddings.

    Raises:
        InputError: a size is below 1.
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_dim: int = 128,
        units: int = 256,
        bidirectional: bool = False,
        rate: float = 0.0,
        **kwargs,
    ):
        super().__init__(**kwargs)
        for name, value in (("embedding_dim", embedding_dim), ("units", units)):
            if value < 1:
                raise InputError(f"{name} must be at least 1; received {value}")
        self.vocab_size, self.embedding_dim, self.units = vocab_size, embedding_dim, units
        self.bidirectional, self.rate = bidirectional, rate
        self.embedding = keras.layers.Embedding(vocab_size, embedding_dim, name="embedding")
        self.dropout = keras.layers.Dropout(rate)
        reader = keras.layers.LSTM(units, return_state=True, name="encoder")
        self.encoder = (
            keras.layers.Bidirectional(reader, name="encoder") if bidirectional else reader
        )
        self.decoder = keras.layers.LSTM(
            self.code_units, return_sequences=True, return_state=True, name="decoder"
        )
        self.final_layer = keras.layers.Dense(vocab_size, name="final_layer")
        self._means = [keras.metrics.Mean(name=name) for name in ("loss", "accuracy")]
        self.build()

    @property
    def code_units(self) -> int:
        """Numbers in the hidden state h_n, and as many in the cell state."""
        return self.units * (1 + self.bidirectional)

    def build(self, *shapes):
        self.embedding.build((None, None))
        self.encoder.build((None, None, self.embedding_dim))
        self.decoder.build((None, None, self.embedding_dim))
        self.final_layer.build((None, None, self.code_units))
        self.built = True

    def encode(self, inp: tf.Tensor, training: bool = False) -> list[tf.Tensor]:
        """The code of sentences (batch, len): hidden and cell state, (batch, code_units) each."""
        x = self.dropout(self.embedding(inp), training=training)  # (batch, len, embedding_dim)
        _, *states = self.encoder(x, mask=tf.not_equal(inp, PADDING_ID), training=training)
        if self.bidirectional:
            forward_h, forward_c, backward_h, backward_c = states
            states = [
                tf.concat([forward_h, backward_h], axis=-1),
                tf.concat([forward_c, backward_c], axis=-1),
            ]
        return states

    def decode(
        self, tar_inp: tf.Tensor, states: list[tf.Tensor], training: bool = False
    ) -> tuple[tf.Tensor, list[tf.Tensor]]:
        """Logits of the token after each of tar_inp (batch, len), and the states at the end."""
        x = self.dropout(self.embedding(tar_inp), training=training)  # (batch, len, embedding_dim)
        outputs, *states = self.decoder(x, initial_state=states, training=training)
        return self.final_layer(outputs), states  # (batch, len, vocab_size)

    def call(self, inp, tar_inp, training=False):
        logits, _ = self.decode(tar_inp, self.encode(inp, training), training)
        return logits

    def reconstruct(self, inp: tf.Tensor, start_id: int, end_id: int, longest: int) -> tf.Tensor:
        """Write sentences again from their codes, token by token from its own predictions.

        Args:
            inp: (batch, len), start and end tokens included.
            start_id, end_id: of these tokens.
            longest: tokens to write at most, the end token included.

        Returns:
            ids after the start token, (batch, tokens written), padded after the end token.
        """
        states = self.encode(inp)
        token = tf.fill(tf.shape(inp)[:1], start_id)  # (batch,)
        ended = tf.zeros_like(token, tf.bool)
        written = tf.TensorArray(tf.int32, size=0, dynamic_size=True, element_shape=(None,))
        i = tf.constant(0)
        while i < longest and not tf.reduce_all(ended):
            logits, states = self.decode(token[:, tf.newaxis], states)  # (batch, 1, vocab_size)
            token = tf.argmax(logits[:, 0], axis=-1, output_type=tf.int32)
            token = tf.where(ended, PADDING_ID, token)
            ended |= tf.equal(token, end_id)
            written = written.write(i, token)
            i += 1
        return tf.transpose(written.stack())  # (batch, tokens written)

    @property
    def metrics(self) -> list[keras.metrics.Metric]:
        """Cross-entropy in nats and accuracy, means over real tokens."""
        return self._means

    def train_step(self, data):
        """One step of the optimizer, as `fit` wants it."""
        inp, tar = data
        with tf.GradientTape() as tape:
            losses, correct, real = self._token_losses(inp, tar, training=True)
            loss = tf.reduce_sum(losses * real) / tf.reduce_sum(real)
        weights = self.trainable_variables
        self.optimizer.apply(tape.gradient(loss, [w.value for w in weights]), weights)
        return self._log(losses, correct, real)

    def test_step(self, data):
        """Evaluate one batch, as `evaluate` wants it."""
        return self._log(*self._token_losses(*data, training=False))

    def _token_losses(self, inp, tar, training: bool):
        """Cross-entropy, correct, and 1 at real tokens: (batch, len - 1) each."""
        logits, labels = self(inp, tar[:, :-1], training=training), tar[:, 1:]
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        correct = tf.equal(tf.argmax(logits, axis=-1, output_type=labels.dtype), labels)
        real = tf.not_equal(labels, PADDING_ID)
        return losses, tf.cast(correct, tf.float32), tf.cast(real, tf.float32)

    def _log(self, losses, correct, real):
        for mean, values in zip(self._means, (losses, correct), strict=True):
            mean.update_state(values, sample_weight=real)
        return {mean.name: mean.result() for mean in self._means}

    def get_config(self):
        return {
            **super().get_config(),
            "vocab_size": self.vocab_size,
            "embedding_dim": self.embedding_dim,
            "units": self.units,
            "bidirectional": self.bidirectional,
            "rate": self.rate,
        }
