"""Output layers, and the cross-entropy of softmax(x W + b) in one.

`next_token_sums` is what trains: the loss of the tutorial's `loss_function`, whose logits of all
tokens would fill the memory; `linear_cross_entropy` computes loss and gradient chunk by chunk.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import keras
import tensorflow as tf

from tf_models.ids import PADDING_ID
from tf_models.loss_sums import LossSums
from tf_models.losses import token_weights


class TokenSums(NamedTuple):
    """Sums over tokens, float32 scalars.

    smoothed_loss: cross-entropy with label smoothing, in nats; the one with a gradient.
    cross_entropy: without label smoothing, in nats.
    correct: tokens whose right id has the greatest probability.
    """

    smoothed_loss: tf.Tensor
    cross_entropy: tf.Tensor
    correct: tf.Tensor


def next_token_sums(
    final_layer: "Projection | TiedProjection",
    states: tf.Tensor,
    real: tf.Tensor,
    training: bool,
    label_smoothing: float = 0.0,
    sample_weight: tf.Tensor | None = None,
) -> LossSums:
    """Sums over the real tokens, of which only the real ones get logits.

    Labels are smoothed in training alone; metrics are not smoothed.

    Args:
        final_layer: the output layer of a model.
        states: inputs of that layer, (batch, len, width).
        real: ids of the tokens that the states predict, (batch, len).
        sample_weight: factors of the losses, (batch,) or (batch, len).
    """
    indices = tf.where(tf.not_equal(real, PADDING_ID))  # (tokens, 2)
    labels = tf.cast(tf.gather_nd(real, indices), tf.int32)  # (tokens,)
    states = tf.gather_nd(states, indices)  # (tokens, width)
    weights = None
    if sample_weight is not None:
        weights = tf.gather_nd(token_weights(sample_weight, real), indices)  # (tokens,)
    if not training:  # in 16 bits many ids would share the greatest probability
        states = tf.cast(states, tf.float32)
        label_smoothing = 0.0
    sums = linear_cross_entropy(
        states,
        tf.cast(final_layer.table(), states.dtype),
        final_layer.bias,
        labels,
        smoothing=label_smoothing,
        weights=weights,
        vocabulary_first=final_layer.vocabulary_first,
    )
    return LossSums(sums.smoothed_loss, {"loss": sums.cross_entropy, "accuracy": sums.correct})


CHUNK_TOKENS = 256  # tokens whose logits exist at the same time
SMALLEST = 1.2e-38  # smallest normal float32; the loss of a token is then at most 87 nats


def linear_cross_entropy(
    states: tf.Tensor,
    kernel: tf.Tensor,
    bias: tf.Tensor,
    labels: tf.Tensor,
    *,
    smoothing: float = 0.0,
    weights: tf.Tensor | None = None,
    vocabulary_first: bool = False,
) -> TokenSums:
    """Cross-entropy of softmax(states kernel + bias), summed over tokens.

    With label smoothing (Szegedy et al. 2016, section 7) the target is the right id with
    probability 1 - smoothing, and any id, that one too, with smoothing / vocabulary. The gradient
    is computed along with the loss, chunk by chunk: logits of all tokens are never in memory.

    Args:
        states: (tokens, d_model), of any float type.
        kernel: (d_model, vocabulary), of the same type; (vocabulary, d_model), as an embedding
            table is, with `vocabulary_first`.
        bias: (vocabulary,), float32.
        labels: ids, (tokens,).
        smoothing: 0 to below 1.
        weights: factors of the losses, (tokens,); all 1 if left out.
    """

    @tf.custom_gradient
    def sums(states: tf.Tensor, kernel: tf.Tensor, bias: tf.Tensor) -> tuple[TokenSums, Callable]:
        totals, gradients = _sums_and_gradients(
            states, kernel, bias, labels, smoothing, weights, vocabulary_first
        )

        def gradient(upstream: tf.Tensor, *_: tf.Tensor) -> list[tf.Tensor]:
            types = (states.dtype, kernel.dtype, bias.dtype)
            return [tf.cast(upstream * g, t) for g, t in zip(gradients, types, strict=True)]

        return totals, gradient

    return TokenSums(*sums(states, kernel, tf.cast(bias, tf.float32)))


def _sums_and_gradients(
    states: tf.Tensor,
    kernel: tf.Tensor,
    bias: tf.Tensor,
    labels: tf.Tensor,
    smoothing: float,
    token_weights: tf.Tensor | None,
    vocabulary_first: bool,
) -> tuple[TokenSums, tuple[tf.Tensor, tf.Tensor, tf.Tensor]]:
    """Sums, and the gradients of the loss by states, kernel and bias.

    d loss / d logits = probabilities - targets: the first part chunk by chunk, the second after
    the loop. The bias is one more weight of each id, for a one that ends each state: adding it to
    the product takes 1.1 to 2.5 times as long.
    """
    id_axis = 0 if vocabulary_first else 1  # axis of the kernel
    tokens = tf.shape(states)[0]
    d_model = states.shape[1]
    vocabulary = kernel.shape[id_axis]
    states = tf.pad(states, [[0, 0], [0, 1]], constant_values=1)  # (tokens, d_model + 1)
    weighted_states = states
    if token_weights is not None:
        weighted_states *= tf.cast(token_weights, states.dtype)[:, tf.newaxis]
    bias = tf.expand_dims(tf.cast(bias, kernel.dtype), 1 - id_axis)
    weights = tf.concat([kernel, bias], axis=1 - id_axis)
    mean_weights = tf.reduce_mean(tf.cast(weights, tf.float32), id_axis)  # (d_model + 1,)

    def ids_first(table: tf.Tensor) -> tf.Tensor:
        """A table (vocabulary, …) from one laid out as the kernel, and back."""
        return table if vocabulary_first else tf.transpose(table)

    def weights_gradient(probabilities: tf.Tensor, x: tf.Tensor) -> tf.Tensor:
        if vocabulary_first:
            return tf.matmul(probabilities, x, transpose_a=True)  # (vocabulary, d_model + 1)
        return tf.matmul(x, probabilities, transpose_a=True)  # (d_model + 1, vocabulary)

    def add_chunk(
        i: tf.Tensor, sums: TokenSums, by_states: tf.TensorArray, by_weights: tf.Tensor
    ) -> tuple[Any, ...]:
        part = slice(i * CHUNK_TOKENS, (i + 1) * CHUNK_TOKENS)
        x = states[part]  # (chunk, d_model + 1)
        logits = tf.matmul(x, weights, transpose_b=vocabulary_first)  # (chunk, vocabulary)
        probabilities = tf.nn.softmax(logits)
        mean_logits = None
        if smoothing:
            mean_logits = tf.linalg.matvec(tf.cast(x, tf.float32), mean_weights)  # (chunk,)
        chunk_sums = _chunk_sums(
            logits,
            probabilities,
            labels[part],
            smoothing=smoothing,
            mean_logits=mean_logits,
            token_weights=None if token_weights is None else token_weights[part],
        )
        # (chunk, d_model), without the states' ones
        states_gradient = tf.matmul(probabilities, kernel, transpose_b=not vocabulary_first)
        chunk_gradient = weights_gradient(probabilities, weighted_states[part])
        return (
            i + 1,
            TokenSums(*(a + b for a, b in zip(sums, chunk_sums, strict=True))),
            by_states.write(i, tf.cast(states_gradient, states.dtype)),
            by_weights + tf.cast(chunk_gradient, tf.float32),
        )

    chunks = tf.maximum(1, (tokens + CHUNK_TOKENS - 1) // CHUNK_TOKENS)
    start = (
        tf.constant(0),
        TokenSums(*[tf.zeros(())] * 3),
        tf.TensorArray(states.dtype, chunks, infer_shape=False),
        tf.zeros(tf.shape(weights)),
    )
    _, sums, by_states, by_weights = tf.while_loop(
        lambda i, *_: i < chunks, add_chunk, start, parallel_iterations=1
    )

    # Targets: 1 - smoothing at the right id, smoothing / vocabulary at every one.
    peak = 1 - smoothing
    wide_states = tf.cast(weighted_states, tf.float32)
    right_weights = ids_first(tf.gather(kernel, labels, axis=id_axis))  # (tokens, d_model)
    by_states = tf.cast(tf.reshape(by_states.concat(), (tokens, d_model)), tf.float32)
    by_states -= peak * tf.cast(right_weights, tf.float32)
    sums_by_id = tf.math.unsorted_segment_sum(wide_states, labels, vocabulary)
    by_weights -= peak * ids_first(sums_by_id)  # from (vocabulary, d_model + 1)
    if smoothing:
        by_states -= smoothing * mean_weights[:-1]
        uniform_gradient = smoothing / vocabulary * tf.reduce_sum(wide_states, axis=0)
        by_weights -= tf.expand_dims(uniform_gradient, id_axis)
    if token_weights is not None:
        by_states *= token_weights[:, tf.newaxis]
    by_kernel, by_bias = tf.split(by_weights, [-1, 1], axis=1 - id_axis)
    return sums, (by_states, by_kernel, tf.reshape(by_bias, (-1,)))


def _chunk_sums(
    logits: tf.Tensor,
    probabilities: tf.Tensor,
    labels: tf.Tensor,
    smoothing: float,
    mean_logits: tf.Tensor | None,
    token_weights: tf.Tensor | None,
) -> TokenSums:
    def total(values: tf.Tensor) -> tf.Tensor:
        return tf.reduce_sum(values if token_weights is None else values * token_weights)

    indices = tf.stack([tf.range(tf.shape(labels)[0]), labels], axis=1)  # (chunk, 2)
    right_probabilities = tf.gather_nd(probabilities, indices)  # (chunk,)
    largest = tf.reduce_max(_sortable(probabilities), axis=-1)
    correct = tf.cast(_sortable(right_probabilities) >= largest, tf.float32)
    losses = -tf.math.log(tf.maximum(tf.cast(right_probabilities, tf.float32), SMALLEST))
    cross_entropy = total(losses)
    smoothed_loss = cross_entropy
    if smoothing:
        # -log p_v = log-sum-exp - logit_v, and log-sum-exp = loss + logit of the right id.
        normalisers = losses + tf.cast(tf.gather_nd(logits, indices), tf.float32)
        uniform_loss = total(normalisers - mean_logits)
        smoothed_loss = (1 - smoothing) * cross_entropy + smoothing * uniform_loss
    return TokenSums(smoothed_loss, cross_entropy, tf.reduce_sum(correct))


def _sortable(probabilities: tf.Tensor) -> tf.Tensor:
    """16-bit floats as their bits: same order if not negative, faster maximum."""
    is_16_bit = probabilities.dtype.size == 2
    return tf.bitcast(probabilities, tf.int16) if is_16_bit else probabilities


@keras.saving.register_keras_serializable(package="tf_models")
class Projection(keras.layers.Dense):
    """Output layer x W + b: (batch, len, d_model) -> (batch, len, vocabulary)."""

    vocabulary_first = False  # in `table`

    def kernel_and_bias(self) -> tuple[tf.Tensor, tf.Tensor]:
        """W (d_model, vocabulary) and b (vocabulary,)."""
        return tf.convert_to_tensor(self.kernel), tf.convert_to_tensor(self.bias)

    def table(self) -> tf.Tensor:
        """W (d_model, vocabulary)."""
        return self.kernel


class TiedProjection(keras.layers.Layer):
    """Output layer x E^T + b with an embedding table E; else as `Projection`.

    Args:
        embedding: its table E is (vocabulary, d_model); its owner builds and saves it.
    """

    vocabulary_first = True

    def __init__(self, embedding: keras.layers.Embedding, **kwargs: Any):
        super().__init__(**kwargs)
        self._embedding = embedding

    def build(self, x_shape: tuple | None = None) -> None:
        shape = (self._embedding.input_dim,)
        self.bias = self.add_weight(shape=shape, initializer="zeros", name="bias")

    def call(self, x: tf.Tensor) -> tf.Tensor:
        """Logits (batch, len, vocabulary) of x (batch, len, d_model)."""
        shape = tf.concat([tf.shape(x)[:-1], [self._embedding.input_dim]], axis=0)
        rows = tf.reshape(x, (-1, self._embedding.output_dim))  # (batch * len, d_model)
        logits = tf.matmul(rows, tf.cast(self.table(), x.dtype), transpose_b=True)
        return tf.reshape(tf.nn.bias_add(logits, self.bias), shape)

    def kernel_and_bias(self) -> tuple[tf.Tensor, tf.Tensor]:
        """E^T (d_model, vocabulary) and b (vocabulary,)."""
        return tf.transpose(self.table()), tf.convert_to_tensor(self.bias)

    def table(self) -> tf.Tensor:
        """E (vocabulary, d_model); of a quantised embedding, what it looks up."""
        if self._embedding.quantization_mode:
            return self._embedding(tf.range(self._embedding.input_dim))
        return tf.convert_to_tensor(self._embedding.embeddings)
