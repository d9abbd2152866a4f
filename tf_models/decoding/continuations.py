"""The best next ids of a sentence's hypotheses, found without sorting the vocabulary."""

import tensorflow as tf

IMPOSSIBLE = -1e9  # log-probability of what must not be chosen

CHUNK = 64  # ids; the best of a chunk is one vectorised maximum


def best_continuations(
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
    so_far = log_probs - _log_normaliser(logits)  # (batch, n)
    logits = _whole_chunks(logits)
    per_hypothesis = logits.shape[-1] // CHUNK
    chunks = tf.reshape(logits, (batch, n * per_hypothesis, CHUNK))
    so_far = tf.repeat(so_far, per_hypothesis, axis=1)  # (batch, n * per_hypothesis)

    maxima = tf.reduce_max(chunks, axis=-1) + so_far  # (batch, n * per_hypothesis)
    _, kept = tf.nn.top_k(maxima, tf.minimum(count, n * per_hypothesis), sorted=False)
    kept = tf.sort(kept, axis=1)  # of equals the first shall win
    totals = tf.gather(chunks, kept, batch_dims=1)  # (batch, kept, CHUNK)
    totals += tf.gather(so_far, kept, batch_dims=1)[:, :, tf.newaxis]
    best, places = tf.nn.top_k(tf.reshape(totals, (batch, -1)), count)  # (batch, count)

    chunk = tf.gather(kept, places // CHUNK, batch_dims=1)
    ids = chunk % per_hypothesis * CHUNK + places % CHUNK
    return best, chunk // per_hypothesis, ids


def _log_normaliser(logits: tf.Tensor) -> tf.Tensor:
    """log sum exp of the logits, from the softmax, which TensorFlow computes in one operation."""
    largest = tf.reduce_max(tf.nn.softmax(logits, axis=-1), axis=-1)  # at least 1 / vocabulary
    return tf.reduce_max(logits, axis=-1) - tf.math.log(largest)


def _whole_chunks(logits: tf.Tensor) -> tf.Tensor:
    missing = -logits.shape[-1] % CHUNK
    if not missing:
        return logits
    return tf.pad(logits, [[0, 0], [0, 0], [0, missing]], constant_values=IMPOSSIBLE)
