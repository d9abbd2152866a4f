"""Output layer and cross-entropy in one, in memory that does not grow with tokens x vocabulary."""

from collections.abc import Callable
from typing import Any

import keras
import tensorflow as tf

from tf_models.layers.loss import TokenSums
from tf_models.layers.models import Shape

CHUNK = 256  # tokens whose logits exist at the same time
SMALLEST = 1.2e-38  # of float32's normal numbers; it bounds the loss of a token at 87 nats


def linear_cross_entropy(
    states: tf.Tensor,
    kernel: tf.Tensor,
    bias: tf.Tensor,
    labels: tf.Tensor,
    *,
    smoothing: float = 0.0,
    vocabulary_first: bool = False,
) -> TokenSums:
    """Cross-entropy of softmax(states kernel + bias), summed over tokens.

    With label smoothing (Szegedy et al. 2016, section 7) the target is the right id with
    probability 1 - smoothing, and any id, that one too, with smoothing / vocabulary.

    The gradient is computed along with the loss, chunk by chunk, so that neither logits nor
    probabilities of all tokens are ever in memory together.

    Args:
        states: (tokens, d_model), of any float type, which is also that of the matrix products.
        kernel: (d_model, vocabulary), of the same type.
        bias: (vocabulary,), float32.
        labels: ids, (tokens,).
        smoothing: 0 to below 1.
        vocabulary_first: the kernel is (vocabulary, d_model), as an embedding table is.
    """

    @tf.custom_gradient
    def sums(states: tf.Tensor, kernel: tf.Tensor, bias: tf.Tensor) -> tuple[TokenSums, Callable]:
        loop = _Loop(states, kernel, bias, labels, smoothing, vocabulary_first)
        totals, gradients = loop.run()

        def gradient(upstream: tf.Tensor, *_: tf.Tensor) -> list[tf.Tensor]:
            types = (states.dtype, kernel.dtype, bias.dtype)
            return [tf.cast(upstream * g, t) for g, t in zip(gradients, types, strict=True)]

        return totals, gradient

    return TokenSums(*sums(states, kernel, tf.cast(bias, tf.float32)))


class _Loop:
    """d loss / d logits = probabilities - targets; the loop takes care of the probabilities.

    The bias is one more weight of each id, for a one that ends each state: in 16 bits TensorFlow's
    product with a bias takes 2.5 times as long as one without, in 32 bits an eighth longer.
    """

    def __init__(
        self,
        states: tf.Tensor,
        kernel: tf.Tensor,
        bias: tf.Tensor,
        labels: tf.Tensor,
        smoothing: float,
        vocabulary_first: bool,
    ):
        self._labels, self._smoothing = labels, smoothing
        self._vocabulary_first = vocabulary_first
        self._across = 0 if vocabulary_first else 1  # the kernel's axis of ids
        self._vocabulary = kernel.shape[self._across]
        self._kernel = kernel
        self._states = tf.pad(states, [[0, 0], [0, 1]], constant_values=1)  # (tokens, d_model + 1)
        bias = tf.expand_dims(tf.cast(bias, kernel.dtype), 1 - self._across)
        self._weights = tf.concat([kernel, bias], axis=1 - self._across)
        self._mean_weights = tf.reduce_mean(tf.cast(self._weights, tf.float32), self._across)

    def run(self) -> tuple[TokenSums, tuple[tf.Tensor, ...]]:
        """Return `TokenSums`, and the gradients by states, kernel and bias."""
        tokens = tf.shape(self._states)[0]
        chunks = tf.maximum(1, (tokens + CHUNK - 1) // CHUNK)
        start = (
            tf.constant(0),
            TokenSums(*[tf.zeros(())] * 3),
            tf.TensorArray(self._states.dtype, chunks, infer_shape=False),
            tf.zeros(tf.shape(self._weights)),
        )
        _, sums, by_states, by_weights = tf.while_loop(
            lambda i, *_: i < chunks, self._add_chunk, start, parallel_iterations=1
        )
        by_states = tf.reshape(by_states.concat(), (tokens, self._states.shape[1] - 1))
        by_states, by_weights = self._subtract_targets(by_states, by_weights)
        by_kernel, by_bias = tf.split(by_weights, [-1, 1], axis=1 - self._across)
        return sums, (by_states, by_kernel, tf.reshape(by_bias, (-1,)))

    def _add_chunk(
        self, i: tf.Tensor, sums: TokenSums, by_states: tf.TensorArray, by_weights: tf.Tensor
    ) -> tuple[Any, ...]:
        part = slice(i * CHUNK, (i + 1) * CHUNK)
        states, labels = self._states[part], self._labels[part]  # (chunk, d_model + 1), (chunk,)
        # (chunk, vocabulary)
        logits = tf.matmul(states, self._weights, transpose_b=self._vocabulary_first)
        probabilities = tf.nn.softmax(logits)
        new = self._sums(states, labels, logits, probabilities)
        # (chunk, d_model), without the states' ones
        of_states = tf.matmul(probabilities, self._kernel, transpose_b=not self._vocabulary_first)
        factors = (probabilities, states) if self._vocabulary_first else (states, probabilities)
        of_weights = tf.matmul(*factors, transpose_a=True)
        return (
            i + 1,
            TokenSums(*(a + b for a, b in zip(sums, new, strict=True))),
            by_states.write(i, tf.cast(of_states, self._states.dtype)),
            by_weights + tf.cast(of_weights, tf.float32),
        )

    def _sums(
        self, states: tf.Tensor, labels: tf.Tensor, logits: tf.Tensor, probabilities: tf.Tensor
    ) -> TokenSums:
        right = tf.stack([tf.range(tf.shape(labels)[0]), labels], axis=1)  # (chunk, 2)
        of_right = tf.gather_nd(probabilities, right)  # (chunk,)
        largest = tf.reduce_max(_sortable(probabilities), axis=-1)
        correct = tf.cast(_sortable(of_right) >= largest, tf.float32)
        losses = -tf.math.log(tf.maximum(tf.cast(of_right, tf.float32), SMALLEST))
        cross_entropy = loss = tf.reduce_sum(losses)
        if self._smoothing:
            # -log p_v = log-sum-exp - logit_v, and log-sum-exp = loss + logit of the right id.
            normalisers = losses + tf.cast(tf.gather_nd(logits, right), tf.float32)
            mean_logits = tf.linalg.matvec(tf.cast(states, tf.float32), self._mean_weights)
            of_any = tf.reduce_sum(normalisers - mean_logits)
            loss = (1 - self._smoothing) * cross_entropy + self._smoothing * of_any
        return TokenSums(loss, cross_entropy, tf.reduce_sum(correct))

    def _subtract_targets(
        self, by_states: tf.Tensor, by_weights: tf.Tensor
    ) -> tuple[tf.Tensor, tf.Tensor]:
        """Take away the gradients' part that the targets have: 1 - smoothing at the right id,
        smoothing / vocabulary at every one."""
        right = 1 - self._smoothing
        states = tf.cast(self._states, tf.float32)
        by_states = tf.cast(by_states, tf.float32) - right * self._columns(self._labels)
        rows = tf.math.unsorted_segment_sum(states, self._labels, self._vocabulary)
        by_weights -= right * (rows if self._vocabulary_first else tf.transpose(rows))
        if self._smoothing:
            by_states -= self._smoothing * self._mean_weights[:-1]
            of_any = self._smoothing / self._vocabulary * tf.reduce_sum(states, axis=0)
            by_weights -= tf.expand_dims(of_any, self._across)
        return by_states, by_weights

    def _columns(self, labels: tf.Tensor) -> tf.Tensor:
        """The kernel's weights of some ids, (tokens, d_model), float32."""
        if self._vocabulary_first:
            return tf.cast(tf.gather(self._kernel, labels), tf.float32)
        return tf.cast(tf.transpose(tf.gather(self._kernel, labels, axis=1)), tf.float32)


def _sortable(probabilities: tf.Tensor) -> tf.Tensor:
    """16-bit floats that are not negative sort as their bits do; of integers a maximum is fast."""
    narrow = probabilities.dtype.size == 2
    return tf.bitcast(probabilities, tf.int16) if narrow else probabilities


class TiedProjection(keras.layers.Layer):
    """Logits x E^T + b: (batch, len, d_model) -> (batch, len, vocabulary).

    Args:
        embedding: its table E is (vocabulary, d_model); somebody else saves and builds it.
    """

    def __init__(self, embedding: keras.layers.Embedding, **kwargs: Any):
        super().__init__(**kwargs)
        self._embedding = embedding

    def build(self, x_shape: Shape | None = None) -> None:
        self.bias = self.add_weight(
            shape=(self._embedding.input_dim,), initializer="zeros", name="bias"
        )

    @property
    def table(self) -> keras.Variable:
        """E, (vocabulary, d_model)."""
        return self._embedding.embeddings

    def call(self, x: tf.Tensor) -> tf.Tensor:
        shape = tf.concat([tf.shape(x)[:-1], [self._embedding.input_dim]], axis=0)
        rows = tf.reshape(x, (-1, self._embedding.output_dim))  # (batch * len, d_model)
        logits = tf.matmul(rows, tf.cast(self.table, x.dtype), transpose_b=True)
        return tf.reshape(tf.nn.bias_add(logits, self.bias), shape)

    def kernel_and_bias(self) -> tuple[tf.Tensor, tf.Tensor]:
        """E^T (d_model, vocabulary) and b (vocabulary,)."""
        return tf.transpose(self.table), tf.convert_to_tensor(self.bias)

    def cross_entropy(
        self, states: tf.Tensor, labels: tf.Tensor, smoothing: float = 0.0
    ) -> TokenSums:
        """This layer and the loss in one, for training: no logits of all positions are kept.

        Args:
            states: what the layer reads, at the real positions only, (tokens, d_model).
            labels: ids that should come next, (tokens,).
            smoothing: see `linear_cross_entropy`.
        """
        table = tf.cast(self.table, states.dtype)
        return linear_cross_entropy(
            states, table, self.bias, labels, smoothing=smoothing, vocabulary_first=True
        )
