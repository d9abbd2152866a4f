"""Batches, epoch by epoch: what images, sentences and stories have in common."""

import tensorflow as tf

PREFETCHED = 8  # batches that wait, ready


class EpochBatches:
    """Batches of one split, in an order that is a pure function of the epoch."""

    def epoch(self, epoch: int) -> tf.data.Dataset:
        """The batches of one epoch."""
        return prefetched(self._epoch(tf.constant(epoch, tf.int64)))

    def batches_from(self, epoch: int, batch: int, end: int) -> tf.data.Dataset:
        """All batches from one of an epoch on, up to the epoch `end`, which is left out: a new
        iterator for each epoch would take longer than an epoch of a small model.
        """
        epochs = tf.data.Dataset.range(epoch, end)
        return prefetched(epochs.flat_map(self._epoch).skip(batch))

    def _epoch(self, epoch: tf.Tensor) -> tf.data.Dataset:
        """The batches of an epoch, a scalar int64, which may be known only when it begins."""
        raise NotImplementedError


def prefetched(dataset: tf.data.Dataset) -> tf.data.Dataset:
    """A data set that is some batches ahead of whoever takes them."""
    # Without autotuning: its thread held up the end of an epoch for up to 18 s.
    options = tf.data.Options()
    options.autotune.enabled = False
    return dataset.prefetch(PREFETCHED).with_options(options)
