"""Sequence autoencoder (lecture 7; Sutskever et al. 2014, section 2)."""

from typing import Any

import keras
import tensorflow as tf

from tf_models.ids import PADDING_ID
from tf_models.layers import constructor_arguments
from tf_models.loss_sums import LossSums
from tf_models.losses import token_sums
from tf_models.sequence_to_sequence import SequenceToSequenceModel, teacher_forcing


@keras.saving.register_keras_serializable(package="tf_models.recurrent")
class SequenceAutoencoder(SequenceToSequenceModel):
    """LSTM autoencoder: the encoder's final state is the decoder's first one.

    Compile it with an optimizer alone and fit it on pairs (ids, ids) of a sentence, start and end
    tokens included, (batch, len) each. The decoder reads the reference token before each one that
    it predicts (teacher forcing).

    Args:
        vocab_size: number of ids.
        embedding_dim: width of the embeddings.
        units: width of the encoder's LSTM, in each direction.
        bidirectional: True if a second LSTM reads the sentence backwards; the decoder's state is
            then both final states side by side.

    Example:
        >>> model = SequenceAutoencoder(vocab_size=20, embedding_dim=8, units=16)
        >>> ids = tf.constant([[18, 2, 3, 19]])  # start, two tokens, end
        >>> print(model(ids, ids[:, :-1]).shape, model.encode(ids)[0].shape)
        (1, 3, 20) (1, 16)
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_dim: int = 128,
        units: int = 256,
        bidirectional: bool = False,
        **kwargs: Any,
    ):
        self._arguments = constructor_arguments(locals())
        super().__init__(**kwargs)
        self.units = units
        self.bidirectional = bidirectional
        self.embedding = keras.layers.Embedding(vocab_size, embedding_dim, name="embedding")
        rnn = keras.layers.LSTM(units, return_state=True, name="encoder")
        self.encoder = keras.layers.Bidirectional(rnn, name="encoder") if bidirectional else rnn
        self.decoder = keras.layers.LSTM(
            self.code_units, return_sequences=True, return_state=True, name="decoder"
        )
        self.final_layer = keras.layers.Dense(vocab_size, name="final_layer")
        self.embedding.build()
        for layer in (self.encoder, self.decoder):
            layer.build((None, None, embedding_dim))
        self.final_layer.build((None, None, self.code_units))
        self.built = True

    @property
    def code_units(self) -> int:
        """Numbers in the hidden state h_n, and as many in the cell state."""
        return 2 * self.units if self.bidirectional else self.units

    def encode(self, inp: tf.Tensor, training: bool = False) -> list[tf.Tensor]:
        """Code of ids (batch, len): h_n and c_n, (batch, code_units) each."""
        x = self.embedding(inp)  # (batch, len, embedding_dim)
        _, *states = self.encoder(x, mask=tf.not_equal(inp, PADDING_ID), training=training)
        if self.bidirectional:  # hidden and cell state forwards, then backwards
            pairs = zip(states[:2], states[2:], strict=True)
            states = [tf.concat(pair, axis=-1) for pair in pairs]
        return states

    def decode(
        self, tar_inp: tf.Tensor, states: list[tf.Tensor], training: bool = False
    ) -> tuple[tf.Tensor, list[tf.Tensor]]:
        """Logits of the tokens after tar_inp (batch, len), and the final states."""
        x = self.embedding(tar_inp)  # (batch, len, embedding_dim)
        outputs, *states = self.decoder(x, initial_state=states, training=training)
        return self.final_layer(outputs), states  # (batch, len, vocab_size)

    def call(self, inp: tf.Tensor, tar: tf.Tensor, training: bool = False) -> tf.Tensor:
        """Encode sentences and predict each next token of them.

        The mask follows from the ids: 0 is padding, and the encoder skips it.

        Args:
            inp: ids of the sentences, start and end included, (batch, len), integers.
            tar: the same without the end ids, (batch, len - 1), integers.
            training: has no effect, for there is no dropout; Keras expects it.

        Returns:
            logits (batch, len - 1, vocab_size) of the token after each, in the compute dtype.
        """
        return self.decode(tar, self.encode(inp, training), training)[0]

    def loss_sums(
        self,
        inp: tf.Tensor,
        tar: tf.Tensor,
        labels: tf.Tensor | None = None,
        *,
        training: bool,
        sample_weight: tf.Tensor | None = None,
    ) -> LossSums:
        """Sums over the real tokens (see `teacher_forcing`)."""
        tar_inp, tar_real = teacher_forcing(tar, labels)
        return token_sums(tar_real, self(inp, tar_inp, training=training), sample_weight)
