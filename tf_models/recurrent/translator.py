"""Encoder and decoder of GRUs, with attention and without (lecture 7).

With attention: Bahdanau et al. 2015. Without it the decoder sees the same fixed-length vector at
every step: Cho et al. 2014, "Learning phrase representations using RNN encoder-decoder".
"""

from typing import Any, NamedTuple

import keras
import tensorflow as tf

from tf_models.errors import InputError
from tf_models.ids import PADDING_ID
from tf_models.layers import constructor_arguments
from tf_models.loss_sums import LossSums
from tf_models.losses import real_tokens
from tf_models.output_layer import TiedProjection, next_token_sums
from tf_models.recurrent.attention import BahdanauAttention
from tf_models.sequence_to_sequence import SequenceToSequenceModel, teacher_forcing


class EncoderOutput(NamedTuple):
    """The source sentences as the decoder reads them."""

    annotations: tf.Tensor  # h_j, both directions side by side, (batch, inp_len, 2 units)
    keys: tf.Tensor  # W2 h_j, (batch, inp_len, units); without attention (batch, inp_len, 0)
    padding_mask: tf.Tensor  # (batch, inp_len), 1 = blocked
    summary: tf.Tensor  # the final states of both directions, (batch, 2 units)
    state: tf.Tensor  # s_0, (batch, units)


def scaled(embedding: keras.layers.Embedding, ids: tf.Tensor) -> tf.Tensor:
    """Embeddings of ids, times the square root of their width.

    A table that serves the softmax, too, must start small (Vaswani et al. 2017, section 3.4).
    """
    return embedding(ids) * embedding.output_dim**0.5


class Encoder(keras.layers.Layer):
    """Embedding, dropout, bidirectional GRU (section 3.2), dropout."""

    def __init__(self, embedding: keras.layers.Embedding, units: int, rate: float):
        super().__init__(name="encoder")
        self.embedding = embedding
        rnn = keras.layers.GRU(units, return_sequences=True, return_state=True, name="rnn")
        self.rnn = keras.layers.Bidirectional(rnn, name="both_rnns")
        self.dropout = keras.layers.Dropout(rate)

    def build(self, *shapes: Any) -> None:
        self.rnn.build((None, None, self.embedding.output_dim))

    def call(self, ids: tf.Tensor, training: bool = False) -> tuple[tf.Tensor, tf.Tensor]:
        """Annotations h_j and final states of source sentences.

        The mask follows from the ids: 0 is padding, and the GRU skips it.

        Args:
            ids: (batch, inp_len), integers.
            training: True for dropout.

        Returns:
            h_j (batch, inp_len, 2 units), and both final states (batch, 2 units), in the compute
            dtype.
        """
        x = self.dropout(scaled(self.embedding, ids), training=training)  # (…, embedding_dim)
        real = tf.not_equal(ids, PADDING_ID)
        annotations, *directions = self.rnn(x, mask=real, training=training)
        annotations = self.dropout(annotations, training=training)
        return annotations, tf.concat(directions, axis=-1)


class Decoder(keras.layers.Layer):
    """GRU over words and contexts: s_i = GRU([E y_(i-1); c_i], s_(i-1)).

    Section 3.1; c_i is the context of s_(i-1), or without attention the summary of the source.
    """

    def __init__(self, embedding: keras.layers.Embedding, units: int, attends: bool, rate: float):
        super().__init__(name="decoder")
        self.embedding = embedding
        self.units = units
        self.attention = BahdanauAttention(units, name="attention") if attends else None
        self.rnn_cell = keras.layers.GRUCell(units, name="gru_cell")
        self.bridge = keras.layers.Dense(units, activation="tanh", name="bridge")
        self.output_layer = keras.layers.Dense(
            embedding.output_dim, activation="tanh", name="output"
        )
        self.dropout = keras.layers.Dropout(rate)

    def build(self, *shapes: Any) -> None:
        features = 2 * self.units
        width = self.embedding.output_dim
        if self.attention:
            self.attention.build((None, self.units), (None, None, features))
        self.rnn_cell.build((None, width + features))
        self.bridge.build((None, features))
        self.output_layer.build((None, self.units + features + width))

    def read(self, annotations: tf.Tensor, summary: tf.Tensor, mask: tf.Tensor) -> EncoderOutput:
        """Compute the parts that are the same for every word."""
        keys = self.attention.keys(annotations) if self.attention else annotations[..., :0]
        return EncoderOutput(annotations, keys, mask, summary, self.bridge(summary))

    def step(
        self, x: tf.Tensor, state: tf.Tensor, source: EncoderOutput
    ) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        """One step of the GRU for n hypotheses of each sentence.

        x = E y_(i-1) (batch, n, embedding_dim), s_(i-1) (batch, n, units) -> c_i (batch, n,
        2 units), s_i, and the attention weights (batch, n, inp_len); zeros without attention.
        """
        batch, n = tf.unstack(tf.shape(state)[:2])
        if self.attention:
            context, weights = self.attention.attend(
                state, source.keys, source.annotations, source.padding_mask
            )
        else:
            context = tf.repeat(source.summary[:, tf.newaxis], n, axis=1)
            weights = tf.zeros((batch, n, tf.shape(source.padding_mask)[1]))
        context = tf.reshape(context, (batch, n, 2 * self.units))  # a search loses static shapes
        inputs = tf.concat([x, context], axis=-1)  # (batch, n, embedding_dim + 2 units)
        rows = tf.reshape(inputs, (batch * n, self.embedding.output_dim + 2 * self.units))
        _, (state,) = self.rnn_cell(rows, [tf.reshape(state, (-1, self.units))])
        return context, tf.reshape(state, (batch, n, self.units)), weights

    def output(
        self, state: tf.Tensor, context: tf.Tensor, x: tf.Tensor, training: bool
    ) -> tf.Tensor:
        """Input of the softmax, (…, embedding_dim), of s_i, c_i and E y_(i-1)."""
        parts = tf.concat([state, context, x], axis=-1)
        return self.dropout(self.output_layer(parts), training=training)

    def call(
        self, ids: tf.Tensor, source: EncoderOutput, training: bool = False
    ) -> tuple[tf.Tensor, tf.Tensor]:
        """Input of the softmax and attention for each target id.

        Args:
            ids: y_(i-1), from the start id on, (batch, tar_len), integers.
            source: result of `read` for the encoder's outputs; its padding mask (batch, inp_len)
                has 1 where a position is blocked.
            training: True for dropout.

        Returns:
            (batch, tar_len, embedding_dim), in the compute dtype, and the weights (batch, tar_len,
            inp_len), float32; zeros without attention.
        """
        x = self.dropout(scaled(self.embedding, ids), training=training)  # (…, embedding_dim)

        def word(last: tuple, x: tf.Tensor) -> tuple:  # x (batch, embedding_dim), one hypothesis
            _, state, _ = last
            results = self.step(x[:, tf.newaxis], state[:, tf.newaxis], source)
            return tuple(part[:, 0] for part in results)

        context = tf.zeros_like(source.annotations[:, 0])  # (batch, 2 units)
        weights = tf.zeros_like(source.padding_mask, tf.float32)  # (batch, inp_len)
        by_time = tf.transpose(x, (1, 0, 2))  # (tar_len, batch, embedding_dim)
        words = tf.scan(word, by_time, (context, source.state, weights))
        # (tar_len, batch, …) -> (batch, tar_len, …)
        contexts, states, weights = (tf.transpose(part, (1, 0, 2)) for part in words)
        return self.output(states, contexts, x, training), weights  # (…, inp_len)


@keras.saving.register_keras_serializable(package="tf_models.recurrent")
class RecurrentTranslator(SequenceToSequenceModel):
    """Encoder, decoder, and a softmax over the target ids.

    Args:
        input_vocab_size, target_vocab_size: numbers of ids.
        embedding_dim: width of the embeddings, and of the softmax's input.
        units: width of each direction of the encoder, and of the decoder.
        attends: True for attention, False for one vector of the source.
        rate: dropout rate.
        tie_embeddings: True if source, target and softmax share one table.

    Raises:
        InputError: tied embeddings, but vocabularies of different sizes.

    Example:
        >>> model = RecurrentTranslator(input_vocab_size=100, target_vocab_size=120, units=32)
        >>> logits, weights = model(tf.ones((8, 9), tf.int32), tf.ones((8, 12), tf.int32))
        >>> print(logits.shape, weights.shape)
        (8, 12, 120) (8, 12, 9)
    """

    label_smoothing = 0.0

    def __init__(
        self,
        input_vocab_size: int,
        target_vocab_size: int,
        embedding_dim: int = 256,
        units: int = 256,
        attends: bool = True,
        rate: float = 0.0,
        tie_embeddings: bool = False,
        **kwargs: Any,
    ):
        self._arguments = constructor_arguments(locals())
        super().__init__(**kwargs)
        self.supports_jit = False  # XLA cannot compile shapes that depend on the padding
        if tie_embeddings and input_vocab_size != target_vocab_size:
            raise InputError(
                "tied embeddings need one vocabulary; "
                f"received {input_vocab_size} and {target_vocab_size} ids"
            )
        source = target = keras.layers.Embedding(input_vocab_size, embedding_dim, name="embedding")
        if not tie_embeddings:
            target = keras.layers.Embedding(
                target_vocab_size, embedding_dim, name="target_embedding"
            )
            target.build()
        source.build()
        self.encoder = Encoder(source, units, rate)
        self.decoder = Decoder(target, units, attends, rate)
        self.final_layer = TiedProjection(target, name="final_layer")
        for part in (self.encoder, self.decoder, self.final_layer):
            part.build()
        self.built = True

    def read(self, inp: tf.Tensor, training: bool = False) -> EncoderOutput:
        """Encode source ids (batch, inp_len) for the decoder."""
        annotations, summary = self.encoder(inp, training=training)
        return self.decoder.read(annotations, summary, 1 - real_tokens(inp))

    def call(
        self, inp: tf.Tensor, tar: tf.Tensor, training: bool = False
    ) -> tuple[tf.Tensor, tf.Tensor]:
        """Predict the word after each word of the targets.

        The mask follows from the ids: 0 is padding, which is neither read nor attended to.

        Args:
            inp: ids of the source, (batch, inp_len), integers.
            tar: ids of the target from the start id on, (batch, tar_len), integers.
            training: True for dropout.

        Returns:
            logits (batch, tar_len, target_vocab_size), in the compute dtype, and the attention
            weights (batch, tar_len, inp_len), float32; zeros without attention.
        """
        outputs, weights = self.decoder_states(inp, tar, training)
        return self.final_layer(outputs), weights

    def decoder_states(
        self, inp: tf.Tensor, tar: tf.Tensor, training: bool = False
    ) -> tuple[tf.Tensor, tf.Tensor]:
        """Input of the softmax, (batch, tar_len, embedding_dim), and the weights."""
        return self.decoder(tar, self.read(inp, training), training=training)

    def loss_sums(
        self,
        inp: tf.Tensor,
        tar: tf.Tensor,
        labels: tf.Tensor | None = None,
        *,
        training: bool,
        sample_weight: tf.Tensor | None = None,
    ) -> LossSums:
        """Sums over the real tokens (see `next_token_sums` and `teacher_forcing`)."""
        tar_inp, tar_real = teacher_forcing(tar, labels)
        states, _ = self.decoder_states(inp, tar_inp, training)
        return next_token_sums(
            self.final_layer, states, tar_real, training, self.label_smoothing, sample_weight
        )
