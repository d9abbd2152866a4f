"""Models that answer questions about stories, with and without attention."""

from typing import Any, NamedTuple

import keras
import tensorflow as tf

from tf_models.base import SummedLossModel
from tf_models.ids import PADDING_ID
from tf_models.layers import constructor_arguments
from tf_models.loss_sums import LossSums
from tf_models.losses import real_tokens, token_sums
from tf_models.recurrent.attention import BahdanauAttention
from tf_models.sequence_to_sequence import teacher_forcing

EMBEDDING_STDDEV = 0.5  # with Keras' 0.05 a model learns to distinguish names much later


class EncodedStory(NamedTuple):
    """Stories and questions as the decoder reads them."""

    annotations: tf.Tensor  # h_i, both directions side by side, (batch, facts, 2 units)
    keys: tf.Tensor  # W2 h_i, (batch, facts, units)
    padding_mask: tf.Tensor  # (batch, facts), 1 = blocked
    state: tf.Tensor  # z_K, with which the decoder begins, (batch, units)
    hop_weights: tf.Tensor  # (batch, hops, facts)


class AnsweringModel(SummedLossModel):
    """Base with calls and loss; subclasses add `encode`, `decode` and `step`.

    Compile it with an optimizer alone and fit it on ((facts, question), (answer, support)):
    support (batch, facts) is 1 for the facts that an answer follows from.
    """

    unit = "words"
    attends: bool

    def __init__(self, vocab_size: int, answer_vocab_size: int, embedding_dim: int, **kwargs: Any):
        super().__init__(**kwargs)
        self.embedding = _embedding(vocab_size, embedding_dim, "embedding")
        self.target_embedding = _embedding(answer_vocab_size, embedding_dim, "target_embedding")
        self.final_layer = keras.layers.Dense(answer_vocab_size, name="final_layer")

    def call(
        self, facts: tf.Tensor, question: tf.Tensor, answer: tf.Tensor, training: bool = False
    ) -> tf.Tensor | tuple[tf.Tensor, tf.Tensor]:
        """Read stories and questions, and predict each next word of the answers.

        Masks follow from the ids: 0 is padding, and a row of padding alone is no fact.

        Args:
            facts: ids of the facts, (batch, facts, words), integers.
            question: ids of the questions, (batch, words), integers.
            answer: ids of the answers from the start id, without the end id, (batch, len),
                integers.
            training: True for dropout.

        Returns:
            logits (batch, len, answer_vocab_size) of the word after each, in the compute dtype, and
            with attention (`attends`) its weights at each word (batch, len, facts), float32.
        """
        logits, weights = self.decode(answer, self.encode(facts, question, training), training)
        return (logits, weights) if self.attends else logits

    def count(
        self,
        facts: tf.Tensor,
        question: tf.Tensor,
        answer: tf.Tensor,
        support: tf.Tensor | None = None,
    ) -> tf.Tensor:
        """Words and end ids that are predicted."""
        return tf.reduce_sum(real_tokens(answer[:, 1:]))

    def loss_sums(
        self,
        facts: tf.Tensor,
        question: tf.Tensor,
        answer: tf.Tensor,
        support: tf.Tensor | None = None,
        *,
        training: bool,
        sample_weight: tf.Tensor | None = None,
    ) -> LossSums:
        """Sums over the words of the answers; in training plus `auxiliary_loss`."""
        tar_inp, tar_real = teacher_forcing(answer)
        story = self.encode(facts, question, training)
        logits, _ = self.decode(tar_inp, story, training)
        sums = token_sums(tar_real, logits, sample_weight)
        if not training or support is None:
            return sums
        loss = sums.loss + self.auxiliary_loss(story, support)
        return LossSums(loss, {**sums.metrics, "loss": loss})

    def inputs_and_labels(self, x: Any, y: Any) -> tuple[Any, Any]:
        data = self.named_data(x, y)
        tar_inp, tar_real = teacher_forcing(data["answer"])
        return (data["facts"], data["question"], tar_inp), tar_real

    def symbolic_inputs(self) -> list[keras.KerasTensor]:
        shapes = {"facts": (None, None), "question": (None,), "answer": (None,)}
        return [keras.Input(shape, dtype="int32", name=name) for name, shape in shapes.items()]

    def auxiliary_loss(self, story: NamedTuple, support: tf.Tensor) -> tf.Tensor | float:
        """Auxiliary loss of training, in nats; 0 unless overridden."""
        return 0.0


class LastState(NamedTuple):
    """State (h_n, c_n) with which the decoder begins, (batch, units) each."""

    state: tuple[tf.Tensor, tf.Tensor]


@keras.saving.register_keras_serializable(package="tf_models.recurrent")
class LSTMAnsweringModel(AnsweringModel):
    """LSTM encoder whose last state is the first state of an LSTM decoder.

        h_t, c_t = LSTM(E x_t, h_(t-1), c_(t-1))        x: all facts, then the question
        s_0 = (h_n, c_n),  s_i = LSTM(E' y_(i-1), s_(i-1))
        logits of y_i = V h(s_i)

    In translation: lecture 7, Sutskever et al. 2014 ("Sequence to sequence learning", section 2).

    Args:
        vocab_size, answer_vocab_size: numbers of ids that are read, and written.
        embedding_dim: width of the embeddings.
        units: width of both LSTMs.
        rate: dropout rate on the embeddings.
    """

    attends = False

    def __init__(
        self,
        vocab_size: int,
        answer_vocab_size: int,
        embedding_dim: int = 32,
        units: int = 128,
        rate: float = 0.0,
        **kwargs: Any,
    ):
        self._arguments = constructor_arguments(locals())
        super().__init__(vocab_size, answer_vocab_size, embedding_dim, **kwargs)
        self.encoder = keras.layers.LSTM(units, return_state=True, name="encoder")
        self.decoder = keras.layers.LSTM(units, return_sequences=True, name="decoder")
        self.dropout = keras.layers.Dropout(rate)
        for layer in (self.encoder, self.decoder):
            layer.build((None, None, embedding_dim))
        self.final_layer.build((None, None, units))
        self.built = True

    def encode(self, facts: tf.Tensor, question: tf.Tensor, training: bool = False) -> LastState:
        """Read facts (batch, facts, words), then questions (batch, words)."""
        batch, count, width = tf.unstack(tf.shape(facts))
        words = tf.concat([tf.reshape(facts, (batch, count * width)), question], axis=1)
        # cuDNN needs the padding at the end: (batch, words)
        order = tf.argsort(tf.cast(words == PADDING_ID, tf.int32), axis=1, stable=True)
        words = tf.gather(words, order, batch_dims=1)
        x = self.dropout(self.embedding(words), training=training)  # (batch, words, embedding_dim)
        _, *state = self.encoder(x, mask=tf.not_equal(words, PADDING_ID), training=training)
        return LastState(tuple(state))

    def decode(
        self, tar_inp: tf.Tensor, story: LastState, training: bool = False
    ) -> tuple[tf.Tensor, None]:
        """Teacher forcing: (batch, len) -> logits (batch, len, answer_vocab_size)."""
        x = self.dropout(self.target_embedding(tar_inp), training=training)
        outputs = self.decoder(x, initial_state=list(story.state), training=training)
        return self.final_layer(outputs), None

    def step(self, ids: tf.Tensor, story: LastState, state: tuple) -> tuple[tf.Tensor, tuple]:
        """Logits of the words after ids (batch, 1), and s_i (batch, 1, units)."""
        last_state = [part[:, 0] for part in state]
        output, state = self.decoder.cell(self.target_embedding(ids)[:, 0], last_state)
        logits = self.final_layer(output)
        return logits[:, tf.newaxis], tuple(part[:, tf.newaxis] for part in state)


@keras.saving.register_keras_serializable(package="tf_models.recurrent")
class QuestionAnsweringModel(AnsweringModel):
    """GRU encoder of facts, attention hops, and GRU decoder with attention.

    The encoder is the input module of Xiong et al. 2016 ("Dynamic memory networks for visual and
    textual question answering", section 3.1), hops over the facts are those of Sukhbaatar et al.
    2015 ("End-to-end memory networks", section 2.2), and the decoder is that of Bahdanau et al.

        q = GRU(question),  f_i = GRU(fact i)                   one encoder RNN, its last state
        h_i = bidirectional GRU([f_i; q; f_i * q])              both directions side by side
        c(z) = sum_i alpha_i h_i                                alpha: Bahdanau's attention of z
        z_0 = tanh(W q),  z_k = GRU(c(z_(k-1)), z_(k-1))        bridge; hop k = 1 … K
        s_0 = z_K,  c_i = c(s_(i-1)),  s_i = GRU([E y_(i-1); c_i], s_(i-1))
        logits of y_i = V [s_i; c_i]

    An auxiliary loss makes hops attend to the support (Weston et al. 2015, "Memory networks",
    section 3.1).

    Args:
        vocab_size, answer_vocab_size, embedding_dim: as in `LSTMAnsweringModel`.
        units: width of every GRU, in each direction of the one over the facts.
        hops: attention steps over the facts before the first word, or 0.
        rate: dropout rate on the embeddings and the annotations.
        support_weight: weight of the auxiliary loss, 0 or greater.

    Example:
        >>> model = QuestionAnsweringModel(vocab_size=30, answer_vocab_size=20, units=8)
        >>> facts, question = tf.ones((2, 6, 5), tf.int32), tf.ones((2, 4), tf.int32)
        >>> logits, weights = model(facts, question, tf.ones((2, 3), tf.int32))
        >>> print(logits.shape, weights.shape)  # three words, six facts
        (2, 3, 20) (2, 3, 6)
    """

    attends = True

    def __init__(
        self,
        vocab_size: int,
        answer_vocab_size: int,
        embedding_dim: int = 32,
        units: int = 64,
        hops: int = 3,
        rate: float = 0.0,
        support_weight: float = 0.0,
        **kwargs: Any,
    ):
        self._arguments = constructor_arguments(locals())
        super().__init__(vocab_size, answer_vocab_size, embedding_dim, **kwargs)
        self.units = units
        self.hops = hops
        self.support_weight = support_weight
        self.encoder_rnn = keras.layers.GRU(units, name="encoder_rnn")
        story_rnn = keras.layers.GRU(units, return_sequences=True, name="story_rnn")
        self.story_rnn = keras.layers.Bidirectional(story_rnn, name="both_story_rnns")
        self.bridge = keras.layers.Dense(units, activation="tanh", name="bridge")
        self.attention = BahdanauAttention(units, name="attention")
        # Without hops, no gradient would reach this layer.
        self.hop_cell = keras.layers.GRUCell(units, name="hop") if hops else None
        self.decoder_cell = keras.layers.GRUCell(units, name="gru_cell")
        self.dropout = keras.layers.Dropout(rate)
        self.encoder_rnn.build((None, None, embedding_dim))
        self.story_rnn.build((None, None, 3 * units))
        self.bridge.build((None, units))
        self.attention.build((None, units), (None, None, 2 * units))
        if self.hop_cell:
            self.hop_cell.build((None, 2 * units))
        self.decoder_cell.build((None, embedding_dim + 2 * units))
        self.final_layer.build((None, 3 * units))
        self.built = True

    def encode(self, facts: tf.Tensor, question: tf.Tensor, training: bool = False) -> EncodedStory:
        """Read facts (batch, facts, words) and questions (batch, words)."""
        real = tf.reduce_any(tf.not_equal(facts, PADDING_ID), axis=-1)  # (batch, facts)
        vectors, q = self._encode_words(facts, question, training)
        vectors *= tf.cast(real, vectors.dtype)[..., tf.newaxis]  # f_i, (batch, facts, units)
        questions = tf.repeat(q[:, tf.newaxis], tf.shape(facts)[1], axis=1)
        x = tf.concat([vectors, questions, vectors * questions], axis=-1)
        annotations = self.story_rnn(x, mask=real, training=training)
        annotations = self.dropout(annotations, training=training)  # (batch, facts, 2 units)
        keys = self.attention.keys(annotations)
        blocked = 1 - tf.cast(real, tf.float32)
        no_hops = blocked[:, tf.newaxis][:, :0]  # (batch, 0, facts)
        story = EncodedStory(annotations, keys, blocked, self.bridge(q), no_hops)
        for _ in range(self.hops):
            context, weights = self._attend(story.state, story)
            _, (state,) = self.hop_cell(context, [story.state])
            hop_weights = tf.concat([story.hop_weights, weights[:, tf.newaxis]], axis=1)
            story = story._replace(state=state, hop_weights=hop_weights)
        return story

    def _encode_words(
        self, facts: tf.Tensor, question: tf.Tensor, training: bool
    ) -> tuple[tf.Tensor, tf.Tensor]:
        """f_i (batch, facts, units) and q (batch, units), by one call of the GRU."""
        count = tf.shape(facts)[1]
        width = tf.maximum(tf.shape(facts)[2], tf.shape(question)[1])
        facts = tf.pad(facts, [[0, 0], [0, 0], [0, width - tf.shape(facts)[2]]])
        question = tf.pad(question, [[0, 0], [0, width - tf.shape(question)[1]]])
        rows = tf.concat([facts, question[:, tf.newaxis]], axis=1)  # (batch, facts + 1, words)
        rows = tf.reshape(rows, (-1, width))
        real = tf.not_equal(rows, PADDING_ID)
        real = tf.concat([tf.ones_like(real[:, :1]), real[:, 1:]], axis=1)  # cuDNN needs a word
        x = self.dropout(self.embedding(rows), training=training)
        vectors = self.encoder_rnn(x, mask=real, training=training)
        vectors = tf.reshape(vectors, (-1, count + 1, self.units))
        return vectors[:, :-1], vectors[:, -1]

    def _attend(self, state: tf.Tensor, story: EncodedStory) -> tuple[tf.Tensor, tf.Tensor]:
        """c(z) (batch, 2 units) and alpha (batch, facts) of z (batch, units)."""
        context, weights = self.attention.attend(
            state[:, tf.newaxis], story.keys, story.annotations, story.padding_mask
        )
        return context[:, 0], weights[:, 0]

    def step(
        self, ids: tf.Tensor, story: EncodedStory, state: tf.Tensor
    ) -> tuple[tf.Tensor, tf.Tensor]:
        """Logits of the words after ids (batch, 1), and s_i (batch, 1, units)."""
        context, after, _ = self._step(self.target_embedding(ids)[:, 0], state[:, 0], story)
        logits = self.final_layer(tf.concat([after, context], axis=-1))
        return logits[:, tf.newaxis], after[:, tf.newaxis]

    def _step(
        self, x: tf.Tensor, state: tf.Tensor, story: EncodedStory
    ) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        """E y_(i-1) -> c_i (batch, 2 units), s_i (…, units), weights (…, facts)."""
        context, weights = self._attend(state, story)
        context = tf.ensure_shape(context, (None, 2 * self.units))  # a search loses static shapes
        _, (after,) = self.decoder_cell(tf.concat([x, context], axis=-1), [state])
        return context, after, weights

    def decode(
        self, tar_inp: tf.Tensor, story: EncodedStory, training: bool = False
    ) -> tuple[tf.Tensor, tf.Tensor]:
        """Logits (…, answer_vocab_size), weights (…, facts) of ids (batch, len)."""
        x = self.dropout(self.target_embedding(tar_inp), training=training)
        by_time = tf.transpose(x, (1, 0, 2))  # (len, batch, embedding_dim)
        context = tf.repeat(tf.zeros_like(story.state), 2, axis=1)  # (batch, 2 units)
        start = (context, story.state, tf.zeros_like(story.padding_mask))
        words = tf.scan(lambda last, x: self._step(x, last[1], story), by_time, start)
        # (len, batch, …) -> (batch, len, …)
        contexts, states, weights = (tf.transpose(part, (1, 0, 2)) for part in words)
        return self.final_layer(tf.concat([states, contexts], axis=-1)), weights

    def auxiliary_loss(self, story: EncodedStory, support: tf.Tensor) -> tf.Tensor | float:
        """Negative log-probability that some hop attends to a supporting fact.

        The mean over the facts of the support (batch, facts), summed over questions that have one,
        weighted. One hop may find who took the apple, and the next one where that person went.
        """
        if not (self.hops and self.support_weight):
            return 0.0
        is_support = tf.cast(support, story.hop_weights.dtype)
        overlooked = tf.reduce_prod(
            1 - story.hop_weights, axis=1
        )  # product over hops, (batch, facts)
        losses = tf.reduce_sum(is_support * -tf.math.log(1 - overlooked + 1e-6), axis=1)  # (batch,)
        means = tf.math.divide_no_nan(losses, tf.reduce_sum(is_support, axis=1))
        return self.support_weight * tf.reduce_sum(means)


def _embedding(size: int, width: int, name: str) -> keras.layers.Embedding:
    initializer = keras.initializers.RandomNormal(stddev=EMBEDDING_STDDEV)
    embedding = keras.layers.Embedding(size, width, embeddings_initializer=initializer, name=name)
    embedding.build()
    return embedding
