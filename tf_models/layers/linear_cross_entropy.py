"""Output layer and cross-entropy in one, in memory that does not grow with tokens x vocabulary."""

import tensorflow as tf

from tf_models.layers.loss import TokenSums

CHUNK = 256  # tokens whose logits exist at the same time; even, for R-Drop's pairs
SMALLEST = 1.2e-38  # of float32's normal numbers; it bounds the loss of a token at 87 nats


def linear_cross_entropy(
    states: tf.Tensor,
    kernel: tf.Tensor,
    bias: tf.Tensor,
    labels: tf.Tensor,
    *,
    smoothing: float = 0.0,
    r_drop: float = 0.0,
    vocabulary_first: bool = False,
) -> TokenSums:
    """Cross-entropy of softmax(states kernel + bias), summed over tokens.

    With label smoothing (Szegedy et al. 2016, section 7) the target is the right id with
    probability 1 - smoothing, and any id, that one too, with smoothing / vocabulary.

    With R-Drop (Liang et al. 2021, equation 4) rows 2 i and 2 i + 1 are of one token, of two
    forward passes with unlike dropout, and what their distributions p and q differ by is added to
    the loss: r_drop (KL(p || q) + KL(q || p)) / 2.

    The gradient is computed along with the loss, chunk by chunk, so that neither logits nor
    probabilities of all tokens are ever in memory together.

    Args:
        states: (tokens, d_model), of any float type, which is also that of the matrix products.
        kernel: (d_model, vocabulary), of the same type.
        bias: (vocabulary,), float32.
        labels: ids, (tokens,).
        smoothing: 0 to below 1.
        r_drop: alpha there; 0 for single tokens.
        vocabulary_first: the kernel is (vocabulary, d_model), as an embedding table is.
    """

    @tf.custom_gradient
    def sums(states, kernel, bias):
        loop = _Loop(states, kernel, bias, labels, smoothing, r_drop, vocabulary_first)
        totals, gradients = loop.run()

        def gradient(upstream, *_):
            types = (states.dtype, kernel.dtype, bias.dtype)
            return [tf.cast(upstream * g, t) for g, t in zip(gradients, types, strict=True)]

        return totals, gradient

    return TokenSums(*sums(states, kernel, tf.cast(bias, tf.float32)))


class _Loop:
    """d loss / d logits = probabilities - targets; the loop takes care of the probabilities."""

    def __init__(self, states, kernel, bias, labels, smoothing, r_drop, vocabulary_first):
        self._states, self._kernel, self._bias, self._labels = states, kernel, bias, labels
        self._smoothing, self._r_drop = smoothing, r_drop
        self._vocabulary_first = vocabulary_first
        self._vocabulary = kernel.shape[0 if vocabulary_first else 1]
        axis = 0 if vocabulary_first else 1
        self._mean_column = tf.reduce_mean(tf.cast(kernel, tf.float32), axis)  # (d_model,)
        # For 16 bits, the bias as one more weight of each id: a one that ends a state reads it.
        of_one = tf.expand_dims(tf.cast(bias, kernel.dtype), 1 - axis)
        self._kernel_and_bias = tf.concat([kernel, of_one], axis=1 - axis)

    def run(self):
        """Return `TokenSums`, and the gradients by states, kernel and bias."""
        tokens = tf.shape(self._states)[0]
        chunks = tf.maximum(1, (tokens + CHUNK - 1) // CHUNK)
        start = (
            tf.constant(0),
            TokenSums(*[tf.zeros(())] * 3),
            tf.TensorArray(self._states.dtype, chunks, infer_shape=False),
            tf.zeros(tf.shape(self._kernel)),
            tf.zeros(tf.shape(self._bias)),
        )
        _, sums, by_states, by_kernel, by_bias = tf.while_loop(
            lambda i, *_: i < chunks, self._add_chunk, start, parallel_iterations=1
        )
        by_states = tf.reshape(by_states.concat(), tf.shape(self._states))
        return sums, self._subtract_targets(by_states, by_kernel, by_bias)

    def _add_chunk(self, i, sums, by_states, by_kernel, by_bias):
        part = slice(i * CHUNK, (i + 1) * CHUNK)
        states, labels = self._states[part], self._labels[part]  # (chunk, d_model), (chunk,)
        logits = self._logits(states)  # (chunk, vocabulary)
        probabilities = tf.nn.softmax(logits)
        new = self._sums(states, labels, logits, probabilities)
        errors = probabilities
        if self._r_drop:
            divergence, by_logits = _divergence(logits, probabilities)
            new = new._replace(loss=new.loss + self._r_drop * divergence)
            errors += self._r_drop * by_logits
        return (
            i + 1,
            TokenSums(*(a + b for a, b in zip(sums, new, strict=True))),
            by_states.write(
                i, tf.matmul(errors, self._kernel, transpose_b=not self._vocabulary_first)
            ),
            by_kernel + tf.cast(self._outer(states, errors), tf.float32),
            by_bias + tf.cast(_sum_of_rows(errors), tf.float32),
        )

    def _logits(self, states):
        if states.dtype.size == 2:
            # In 16 bits TensorFlow's product with a bias takes 2.5 times as long as one without.
            ones = tf.ones((tf.shape(states)[0], 1), states.dtype)
            states = tf.concat([states, ones], axis=1)  # (chunk, d_model + 1)
            return tf.matmul(states, self._kernel_and_bias, transpose_b=self._vocabulary_first)
        logits = tf.matmul(states, self._kernel, transpose_b=self._vocabulary_first)
        return tf.nn.bias_add(logits, self._bias)

    def _outer(self, states, errors):
        """Sum over tokens of their outer products, in the shape of the kernel."""
        if self._vocabulary_first:
            return tf.matmul(errors, states, transpose_a=True)  # (vocabulary, d_model)
        return tf.matmul(states, errors, transpose_a=True)  # (d_model, vocabulary)

    def _sums(self, states, labels, logits, probabilities) -> TokenSums:
        right = tf.stack([tf.range(tf.shape(labels)[0]), labels], axis=1)  # (chunk, 2)
        of_right = tf.gather_nd(probabilities, right)  # (chunk,)
        correct = tf.cast(_sortable(of_right) >= _largest(probabilities), tf.float32)
        losses = -tf.math.log(tf.maximum(tf.cast(of_right, tf.float32), SMALLEST))
        cross_entropy = loss = tf.reduce_sum(losses)
        if self._smoothing:
            # -log p_v = log-sum-exp - logit_v, and log-sum-exp = loss + logit of the right id.
            normalisers = losses + tf.cast(tf.gather_nd(logits, right), tf.float32)
            mean_logits = tf.linalg.matvec(tf.cast(states, tf.float32), self._mean_column)
            of_any = tf.reduce_sum(normalisers - mean_logits - tf.reduce_mean(self._bias))
            loss = (1 - self._smoothing) * cross_entropy + self._smoothing * of_any
        return TokenSums(loss, cross_entropy, tf.reduce_sum(correct))

    def _subtract_targets(self, by_states, by_kernel, by_bias):
        """Take away the gradients' part that the targets have: 1 - smoothing at the right id,
        smoothing / vocabulary at every one."""
        right = 1 - self._smoothing
        states = tf.cast(self._states, tf.float32)
        by_states = tf.cast(by_states, tf.float32) - right * self._columns(self._labels)
        by_kernel -= right * self._scattered(states)
        by_bias -= right * tf.math.bincount(
            self._labels, minlength=self._vocabulary, maxlength=self._vocabulary, dtype=tf.float32
        )
        if self._smoothing:
            any_one = self._smoothing / self._vocabulary
            by_states -= self._smoothing * self._mean_column
            summed = any_one * tf.reduce_sum(states, axis=0)  # (d_model,)
            by_kernel -= summed if self._vocabulary_first else summed[:, tf.newaxis]
            by_bias -= any_one * tf.cast(tf.shape(states)[0], tf.float32)
        return by_states, by_kernel, by_bias

    def _columns(self, labels):
        """The kernel's weights of some ids, (tokens, d_model), float32."""
        if self._vocabulary_first:
            return tf.cast(tf.gather(self._kernel, labels), tf.float32)
        return tf.cast(tf.transpose(tf.gather(self._kernel, labels, axis=1)), tf.float32)

    def _scattered(self, states):
        """Each state added where the kernel has the weights of its label."""
        rows = tf.math.unsorted_segment_sum(states, self._labels, self._vocabulary)
        return rows if self._vocabulary_first else tf.transpose(rows)


def _divergence(logits: tf.Tensor, probabilities: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """(KL(p || q) + KL(q || p)) / 2 of neighbouring rows, summed; and its gradient by the logits.

    It is sum_v (p_v - q_v) d_v / 2 with d = log p - log q, where d may be off by a constant.
    """
    pairs = (-1, 2, logits.shape[1])
    logits, probabilities = tf.reshape(logits, pairs), tf.reshape(probabilities, pairs)
    d = logits[:, 0] - logits[:, 1]  # (pairs, vocabulary)
    p, q = probabilities[:, 0], probabilities[:, 1]
    difference = p - q
    mean_p, mean_q = (tf.reduce_sum(r * d, axis=-1, keepdims=True) for r in (p, q))  # of d
    by_p = 0.5 * (difference + p * (d - mean_p))
    by_q = -0.5 * (difference + q * (d - mean_q))
    gradient = tf.reshape(tf.stack([by_p, by_q], axis=1), (-1, pairs[-1]))
    return 0.5 * tf.reduce_sum(tf.cast(mean_p - mean_q, tf.float32)), gradient


def _sum_of_rows(matrix: tf.Tensor) -> tf.Tensor:
    """(rows, columns) -> (columns,). A product adds up in float32, and keeps pace with a sum."""
    return tf.matmul(tf.ones((1, tf.shape(matrix)[0]), matrix.dtype), matrix)[0]


def _largest(probabilities: tf.Tensor) -> tf.Tensor:
    """The greatest of each row, `_sortable`."""
    return tf.reduce_max(_sortable(probabilities), axis=-1)


def _sortable(probabilities: tf.Tensor) -> tf.Tensor:
    """16-bit floats that are not negative sort as their bits do; of integers a maximum is fast."""
    narrow = probabilities.dtype.size == 2
    return tf.bitcast(probabilities, tf.int16) if narrow else probabilities
