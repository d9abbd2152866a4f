"""Images that the scripts' tests train on in seconds."""

import numpy as np
from PIL import Image

from tf_models.data.images import ImageSet, ImageSplit

SHAPE = (6, 5)
CLASSES = 3


def write_npz(path, count=90):
    """Class c has its ink in row c; as Keras stores MNIST."""
    random = np.random.default_rng(0)

    def split(size):
        labels = np.arange(size) % CLASSES
        pixels = random.integers(0, 80, (size, *SHAPE), np.uint8)
        pixels[np.arange(size), labels] += 150
        return pixels, labels

    (x_train, y_train), (x_test, y_test) = split(count), split(count // 3)
    np.savez(path, x_train=x_train, y_train=y_train, x_test=x_test, y_test=y_test)
    return path


def noise(count):
    """An image set of that many training images of noise, 2 x 2 pixels."""
    images = np.random.default_rng(0).integers(0, 17, (count, 2, 2, 1), np.uint8)
    training, half = ImageSplit(images, None), ImageSplit(images[: count // 2], None)
    return ImageSet("noise", training, half, half, maximum=16)


def write_folder(path, shape=SHAPE, count=12):
    """A PNG file an image, without classes."""
    path.mkdir(parents=True)
    random = np.random.default_rng(0)
    for i in range(count):
        Image.fromarray(random.integers(0, 256, shape, np.uint8)).save(path / f"{i}.png")
    return path


def write_folders(path, *names):
    """A subfolder for each class."""
    for name in names:
        write_folder(path / name, count=20)
    return path
