"""A set of images: their pixels and their classes, in three parts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tf_models.errors import InputError
from tf_models.files import atomic_path

BYTE = 255  # the greatest value of images that come as bytes


def show_shape(shape: Sequence[int]) -> str:
    """A shape for a reader: "28 x 28 x 1"."""
    return " x ".join(map(str, shape))


@dataclass(frozen=True)
class ImageSplit:
    """Images of one purpose.

    images: (n, height, width, channels) uint8.
    labels: class numbers (n,) int64, or None.
    """

    images: np.ndarray
    labels: np.ndarray | None

    def __len__(self) -> int:
        return len(self.images)

    def __getitem__(self, indices: np.ndarray) -> "ImageSplit":
        labels = None if self.labels is None else self.labels[indices]
        return ImageSplit(self.images[indices], labels)


@dataclass(frozen=True)
class ImageSet:
    """Training, validation and test images of one shape, with values from 0 to `maximum`.

    source: what `load_images` takes to load it again.
    class_names: of the classes 0, 1 …; () where the numbers are their names.
    left_out: the class that only test images are of, if there is one.
    """

    name: str
    train: ImageSplit
    validation: ImageSplit
    test: ImageSplit
    maximum: int = BYTE
    source: str = ""
    class_names: tuple[str, ...] = ()
    left_out: int | None = None

    @property
    def label(self) -> str:
        """The name as part of a path."""
        return Path(self.name.removeprefix("tfds:").replace("/", "-")).stem

    def describe(self) -> str:
        """Name, sizes and shape, on one line."""
        return (
            f"{self.name}: {len(self.train)} training, {len(self.validation)} validation and "
            f"{len(self.test)} test images of {show_shape(self.shape)}"
        )

    @property
    def shape(self) -> tuple[int, int, int]:
        """Height, width and channels."""
        return self.train.images.shape[1:]

    def pixels(self, split: ImageSplit) -> np.ndarray:
        """The images of a split as models take them: (n, height, width, channels), 0 to 1."""
        return split.images / np.float32(self.maximum)

    def number_of_classes(self, reader: str) -> int:
        """One more than the greatest class number; an InputError unless all images have labels,
        which says who the `reader` of the labels is.
        """
        splits = (self.train, self.validation, self.test)
        labels = [split.labels for split in splits if split.labels is not None]
        if len(labels) < len(splits):
            raise InputError(
                f"{reader} needs images with labels, and {self.name} has none: put the images of "
                "each class into a subfolder with its name"
            )
        return max(int(of_split.max()) for of_split in labels) + 1

    def class_name(self, number: int) -> str:
        """Name of a class."""
        return self.class_names[number] if self.class_names else str(number)

    def classes(self, split: ImageSplit) -> dict[str, int]:
        """Numbers of the classes that images are of, by name; none where there are no labels."""
        numbers = () if split.labels is None else np.unique(split.labels)
        return {self.class_name(number): int(number) for number in numbers}

    def class_number(self, name: str) -> int:
        """Number of the class of that name; an InputError if no training image is of it."""
        numbers = self.classes(self.train)
        if name not in numbers:
            known = ", ".join(numbers) or "none, since its images have no labels"
            raise InputError(f"{self.name} has no class {name!r}; its classes: {known}")
        return numbers[name]

    def save(self, path: Path, most_bytes: int | None = None) -> None:
        """Write training and test images, their labels and the names of the classes into an .npz
        file as Keras has it. Of a split with more bytes than `most_bytes` evenly spaced images are
        taken.
        """
        arrays = {"class_names": np.array(self.class_names, dtype=str)}
        for part, split in (("train", self.train), ("test", self.test)):
            most = most_bytes and max(1, most_bytes // split.images[0].nbytes)
            if most and len(split) > most:
                split = split[np.linspace(0, len(split) - 1, most).astype(int)]
            arrays[f"x_{part}"] = split.images
            if split.labels is not None:
                arrays[f"y_{part}"] = split.labels
        with atomic_path(path) as temporary:
            np.savez_compressed(temporary, **arrays)

    def without_class(self, number: int) -> "ImageSet":
        """Training and validation images of all classes but one; the test images stay.

        If no test image is of that class, those of the training images join them.

        Raises:
            InputError: there are no labels, or no image of another class.
        """
        test = self.test
        if self.train.labels is None or test.labels is None:
            raise InputError(f"{self.name} has no labels, so no class can be left out")
        train, validation = (
            split[split.labels != number] for split in (self.train, self.validation)
        )
        if number not in test.labels:
            more = self.train[self.train.labels == number]
            images = np.concatenate([test.images, more.images])
            test = ImageSplit(images, np.concatenate([test.labels, more.labels]))
        if not len(train) or not len(validation) or np.all(test.labels == number):
            raise InputError(
                f"without class {self.class_name(number)} {self.name} has {len(train)} training "
                f"and {len(validation)} validation images; another class is needed"
            )
        return replace(self, train=train, validation=validation, test=test, left_out=number)
