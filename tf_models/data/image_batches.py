"""Batches of images, noise included, as a pure function of seed and epoch."""

from typing import Any

import numpy as np
import tensorflow as tf

from tf_models.data.epochs import EpochBatches, prefetched
from tf_models.data.images import Corruption

IMAGES_TOGETHER = 500  # number of images that a trained model reads at a time
# Salts, so that no two uses of a seed draw the same numbers.
ORDER, STATIC, DYNAMIC, CORRUPTION, SHIFT = range(5)
TEST, TRAINING, VALIDATION = range(3)


class ImageBatches(EpochBatches):
    """Batches of (input, target), with labels of ((input, labels), target).

    Inputs and targets are (batch, height, width, channels) float32, 0 to 1; labels (batch,) int32.
    The target is the image, binarised on request; the input is the target, corrupted on request.

    Args:
        images: (n, height, width, channels) uint8; the value `maximum` becomes 1.
        batch_size: most images in a batch; where they do not divide, some have one fewer.
        binarisation: a pixel becomes 1 with the probability that its value is: "static", once and
            for all; "dynamic", anew in each epoch; "none": it stays what it is.
        corruption: noise that the inputs get.
        part: TEST, TRAINING or VALIDATION, each of which has its own static binarisation.
        labels: class numbers (n,), for a model that needs them.
        shift: most pixels that an image is moved by (see `shifted`), anew in each epoch.
    """

    def __init__(
        self,
        images: np.ndarray,
        maximum: int,
        batch_size: int,
        seed: int,
        *,
        binarisation: str = "none",
        corruption: Corruption | None = None,
        part: int = TEST,
        labels: np.ndarray | None = None,
        shift: int = 0,
    ):
        self._batch_size = batch_size
        self._seed = seed
        self._corruption = corruption
        self._dynamic = binarisation == "dynamic"
        self._shift = shift
        if binarisation == "static":
            random = np.random.default_rng([seed, STATIC, part])
            images = (random.random(images.shape) < images / maximum).astype(np.uint8)
            maximum = 1
        self._maximum = maximum
        self._images = tf.constant(images)
        self._labels = None if labels is None else tf.constant(labels, tf.int32)

    def __len__(self) -> int:
        """Batches in an epoch."""
        return -(-self._images.shape[0] // self._batch_size)

    def in_order(self) -> tf.data.Dataset:
        """Every image once, in order, always with the same noise: for evaluation."""
        order = tf.range(len(self._images), dtype=tf.int64)
        return prefetched(self._batches(order, tf.constant(-1, tf.int64)))

    def _epoch(self, epoch: tf.Tensor) -> tf.data.Dataset:
        order = tf.numpy_function(self._order, [epoch], tf.int64, stateful=False)
        return self._batches(tf.ensure_shape(order, [len(self._images)]), epoch)

    def _order(self, epoch: np.ndarray) -> np.ndarray:
        random = np.random.default_rng([self._seed, ORDER, int(epoch)])
        return random.permutation(len(self._images))

    def _batches(self, order: tf.Tensor, epoch: tf.Tensor) -> tf.data.Dataset:
        # All are of like size: a last batch of a single image would weigh as much as a full one.
        bounds = tf.constant(np.linspace(0, len(self._images), len(self) + 1).astype(np.int64))
        return tf.data.Dataset.range(len(self)).map(
            lambda number: self._batch(epoch, number, order[bounds[number] : bounds[number + 1]])
        )

    def _batch(
        self, epoch: tf.Tensor, number: tf.Tensor, indices: tf.Tensor
    ) -> tuple[Any, tf.Tensor]:
        seed = tf.random.fold_in(tf.stack([tf.constant(self._seed, tf.int64), epoch]), number)
        images = tf.cast(tf.gather(self._images, indices), tf.float32) / self._maximum
        if self._shift:
            images = shifted(images, self._shift, tf.random.fold_in(seed, SHIFT))
        if self._dynamic:
            noise = tf.random.stateless_uniform(tf.shape(images), tf.random.fold_in(seed, DYNAMIC))
            images = tf.cast(noise < images, tf.float32)
        inputs = images
        if self._corruption is not None:
            inputs = corrupt(images, self._corruption, tf.random.fold_in(seed, CORRUPTION))
        if self._labels is None:
            return inputs, images
        return (inputs, tf.gather(self._labels, indices)), images


class LabelledBatches(ImageBatches):
    """Batches of (input, labels), as in `ImageBatches`, without the target."""

    def _batch(
        self, epoch: tf.Tensor, number: tf.Tensor, indices: tf.Tensor
    ) -> tuple[tf.Tensor, ...]:
        return super()._batch(epoch, number, indices)[0]


def shifted(images: tf.Tensor, most: int, seed: tf.Tensor) -> tf.Tensor:
    """Shift each image at random, padded with 0 (He et al. 2016, section 4.2).

    Images (batch, height, width, channels) move by -most … most pixels along both sides. The same
    seed (2,) gives the same shifts.
    """
    padded = tf.pad(images, [(0, 0), (most, most), (most, most), (0, 0)])
    for axis in (1, 2):
        starts = tf.random.stateless_uniform(
            (tf.shape(images)[0], 1), tf.random.fold_in(seed, axis), 0, 2 * most + 1, tf.int32
        )
        indices = starts + tf.range(images.shape[axis])  # (batch, height or width)
        padded = tf.gather(padded, indices, axis=axis, batch_dims=1)
    return padded


def corrupt(images: tf.Tensor, corruption: Corruption, seed: tf.Tensor) -> tf.Tensor:
    """Corrupt images of any shape; the same seed (2,) gives the same noise."""
    seeds = tf.random.split(seed, 2)
    if corruption.masking_noise:
        mask = tf.random.stateless_uniform(tf.shape(images), seeds[0]) >= corruption.masking_noise
        images = tf.where(mask, images, 0.0)
    if corruption.gaussian_noise_std:
        noise = tf.random.stateless_normal(tf.shape(images), seeds[1])
        images += corruption.gaussian_noise_std * noise
    return images
