"""A set of images: what is shown and to which class it belongs, in three parts."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tf_models.errors import InputError
from tf_models.files import atomic_path

BYTE = 255  # the greatest value of images that come as bytes


def show_shape(shape: Sequence[int]) -> str:
    """A shape for a reader: "28 x 28 x 1"."""
    return " x ".join(map(str, shape))


def stack(
    images: Iterable[np.ndarray], names: Sequence[object], size: tuple[int, int] | None = None
) -> np.ndarray:
    """Named images (height, width, channels) as one array (n, …), brought to a size if there is one
    (see `fitted`), grey ones among coloured ones with three channels then; without it, an
    InputError unless all are of one size and depth.
    """
    if size is not None:
        images = [fitted(image, size) for image in images]
        depth = max(image.shape[-1] for image in images)
        return np.stack([np.broadcast_to(image, (*size, depth)) for image in images])
    stacked = np.zeros((0, 1, 1, 1), np.uint8)
    for i, (image, name) in enumerate(zip(images, names, strict=True)):
        if i == 0:
            stacked = np.empty((len(names), *image.shape), image.dtype)
        if image.shape != stacked.shape[1:]:
            raise InputError(
                f"images must be of one size and depth; {names[0]} is "
                f"{show_shape(stacked.shape[1:])} and {name} is {show_shape(image.shape)} "
                "(height x width x channels); --image-size N brings all to one size"
            )
        stacked[i] = image
    return stacked


def fitted(image: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """An image (height, width, channels) as bytes, brought to a size (height, width).

    It is scaled, with antialiasing, until it just covers that size, and what stands out is cut off,
    as much at one side as at the other.
    """
    from PIL import Image, ImageOps

    picture = Image.fromarray(image if image.shape[-1] > 1 else image[..., 0])
    return np.asarray(ImageOps.fit(picture, size[::-1])).reshape(*size, -1)


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
    made_from: fingerprint of the images that these are codes of, if they are.
    """

    name: str
    train: ImageSplit
    validation: ImageSplit
    test: ImageSplit
    maximum: int = BYTE
    source: str = ""
    class_names: tuple[str, ...] = ()
    left_out: int | None = None
    made_from: str = ""

    def fingerprint(self) -> str:
        """Of all images and their order: 16 hexadecimal digits; of codes, that of their images.

        The last digits of codes are not the same on every machine.
        """
        if self.made_from:
            return self.made_from
        digest = hashlib.sha256()
        for split in (self.train, self.validation, self.test):
            digest.update(split.images.tobytes())
        return digest.hexdigest()[:16]

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
        """What a class is called."""
        known = 0 <= number < len(self.class_names)
        return self.class_names[number] if known else str(number)

    def classes(self, split: ImageSplit) -> dict[str, int]:
        """Numbers of the classes that images are of, by name; none where there are no labels."""
        numbers = () if split.labels is None else np.unique(split.labels)
        return {self.class_name(number): int(number) for number in numbers}

    def class_number(self, name: str) -> int:
        """Which class of the training images has that name; an InputError if none has."""
        numbers = self.classes(self.train)
        if name not in numbers:
            raise InputError(
                f"{self.name} has the classes {', '.join(numbers)}; received {name!r}"
                if numbers
                else f"{self.name} has no labels, so none of class {name!r}"
            )
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

        If no test image is of that class, those of the training images join them. Raises
        InputError: there are no labels, or none of that class or of another.
        """
        if self.train.labels is None or self.test.labels is None:
            part = "labels" if self.train.labels is None else "labels of its test images"
            raise InputError(f"{self.name} has no {part}, so no class can be left out")
        train, validation = (s[s.labels != number] for s in (self.train, self.validation))
        if not len(train) or not len(validation) or len(train) == len(self.train):
            raise InputError(
                f"without class {self.class_name(number)} {self.name} has {len(train)} of "
                f"{len(self.train)} training and {len(validation)} of {len(self.validation)} "
                "validation images"
            )
        test = self.test
        if number not in self.test.labels:
            more = self.train[self.train.labels == number]
            images = np.concatenate([test.images, more.images])
            test = ImageSplit(images, np.concatenate([test.labels, more.labels]))
        if np.all(test.labels == number):
            raise InputError(f"all test images of {self.name} are {self.class_name(number)}")
        return replace(self, train=train, validation=validation, test=test, left_out=number)
