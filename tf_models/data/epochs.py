"""Batches, epoch by epoch: base class for images, sentences and stories."""

import tensorflow as tf

PREFETCHED = 8  # number of batches that are prepared before they are needed


class EpochBatches:
    """Batches of one split, in an order that is a pure function of the epoch."""

    def epoch(self, epoch: int) -> tf.data.Dataset:
        """The batches of one epoch."""
        return prefetched(self._epoch(tf.constant(epoch, tf.int64)))

    def batches_from(self, epoch: int, batch: int, end: int) -> tf.data.Dataset:
        """Batches from number `batch` of an epoch on, up to epoch `end` - 1."""
        # A new iterator for each epoch would take longer than an epoch of a small model.
        epochs = tf.data.Dataset.range(epoch, end)
        return prefetched(epochs.flat_map(self._epoch).skip(batch))

    def _epoch(self, epoch: tf.Tensor) -> tf.data.Dataset:
        """Batches of an epoch, a scalar int64 that may be symbolic."""
        raise NotImplementedError


def prefetched(dataset: tf.data.Dataset) -> tf.data.Dataset:
    """Data set that prefetches some batches."""
    # Autotuning is off because its thread held up the end of an epoch for up to 18 s.
    options = tf.data.Options()
    options.autotune.enabled = False
    return dataset.prefetch(PREFETCHED).with_options(options)
