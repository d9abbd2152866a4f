"""The best next ids of a sentence's hypotheses, found without sorting the vocabulary."""

from collections.abc import Callable, Sequence

import tensorflow as tf

IMPOSSIBLE = -1e9  # log-probability of what must not be chosen

CHUNK = 64  # ids; the best of a chunk is one vectorised maximum


def top_k_continuations(
    logits: tf.Tensor, log_probs: tf.Tensor, count: int
) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """The `count` most probable among all hypotheses of a sentence with one id more.

    Equal to `top_k` over all log-probabilities, ties included, but only `count` chunks of the
    vocabulary are looked into: those with the largest maxima hold the `count` largest values.

    Args:
        logits: of the next id of each hypothesis, (batch, n, vocabulary); the vocabulary is static.
        log_probs: of the hypotheses so far, in nats, (batch, n).
        count: at most n * vocabulary.

    Returns:
        log-probabilities, which hypothesis (0 to n - 1), and id; (batch, count) each, best first.
    """
    batch, n = tf.unstack(tf.shape(log_probs))
    missing = -logits.shape[-1] % CHUNK
    if missing:
        logits = tf.pad(logits, [[0, 0], [0, 0], [0, missing]], constant_values=IMPOSSIBLE)
    per_hypothesis = logits.shape[-1] // CHUNK
    chunks = tf.reshape(logits, (batch, n, per_hypothesis, CHUNK))
    maxima = tf.reduce_max(chunks, axis=-1)  # (batch, n, per_hypothesis)
    so_far = (log_probs - _log_normaliser(chunks, maxima))[:, :, tf.newaxis]  # (batch, n, 1)

    maxima = tf.reshape(maxima + so_far, (batch, -1))  # (batch, n * per_hypothesis)
    _, kept = tf.nn.top_k(maxima, tf.minimum(count, n * per_hypothesis), sorted=False)
    kept = tf.sort(kept, axis=1)  # of equals the first shall win
    place = tf.stack([kept // per_hypothesis, kept % per_hypothesis], axis=-1)
    totals = tf.gather_nd(chunks, place, batch_dims=1)  # (batch, kept, CHUNK)
    totals += tf.gather(so_far, place[:, :, 0], batch_dims=1)
    best, found = tf.nn.top_k(tf.reshape(totals, (batch, -1)), count)  # (batch, count)

    hypothesis, chunk = tf.unstack(tf.gather(place, found // CHUNK, batch_dims=1), axis=-1)
    return best, hypothesis, chunk * CHUNK + found % CHUNK


def _log_normaliser(chunks: tf.Tensor, maxima: tf.Tensor) -> tf.Tensor:
    """log sum exp of each hypothesis' logits, (batch, n): from the largest logit and its
    probability, which is at least 1 / vocabulary, for TensorFlow has a fast softmax.
    """
    shape = tf.shape(chunks)
    logits = tf.reshape(chunks, (shape[0], shape[1], maxima.shape[-1] * CHUNK))
    probabilities = tf.reshape(tf.nn.softmax(logits), shape)
    chunk = tf.argmax(maxima, axis=-1, output_type=tf.int32)  # (batch, n)
    largest = tf.reduce_max(tf.gather(probabilities, chunk, batch_dims=2), axis=-1)
    return tf.reduce_max(maxima, axis=-1) - tf.math.log(largest)


def output_layer_for_search(
    kernel: tf.Tensor, bias: tf.Tensor, suppressed_ids: Sequence[int], chunk: int = CHUNK
) -> Callable[[tf.Tensor], tf.Tensor]:
    """An output layer whose logits search need not touch any more.

    Args:
        kernel: (features, vocabulary).
        bias: (vocabulary,).
        suppressed_ids: ids that must not be chosen, one at least. Their bias leaves them out of the
            softmax, once, which costs nothing in the steps.
        chunk: logits come in whole chunks of so many; 1 where nobody looks at chunks.

    Returns:
        a function from states (batch, n, features) to logits (batch, n, vocabulary), which have as
        many impossible ids more as whole chunks need.
    """
    kernel = tf.pad(kernel, [[0, 0], [0, -kernel.shape[1] % chunk]])
    bias = tf.pad(bias, [[0, -bias.shape[0] % chunk]], constant_values=IMPOSSIBLE)
    places = [[i] for i in suppressed_ids]
    bias = tf.tensor_scatter_nd_update(bias, places, [IMPOSSIBLE] * len(places))

    def logits_of(states: tf.Tensor) -> tf.Tensor:
        rows = tf.reshape(states, (-1, kernel.shape[0]))  # (batch * n, features)
        logits = tf.nn.bias_add(tf.matmul(tf.cast(rows, kernel.dtype), kernel), bias)
        return tf.reshape(logits, (*tf.unstack(tf.shape(states)[:2]), kernel.shape[1]))

    return logits_of
