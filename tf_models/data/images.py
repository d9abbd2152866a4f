"""Sets of images: embedded, of TensorFlow Datasets, of a Keras file, or of a folder."""

import hashlib
import os
import zipfile
import zlib
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tf_models.data.image_folder import read_image_folder
from tf_models.errors import InputError

EMBEDDED = "digits"
ONE_HOT = "one-hot"
TFDS_NAMES = ("mnist", "fashion_mnist")
BYTE = 255  # the greatest value of images that come as bytes
HELD_OUT = {"validation": 0.1, "test": 0.2}  # shares, where a set has no such split
MOST_HELD_OUT = 2000  # images tell enough: of MNIST's 60,000, 58,000 are for training


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
        shape = " x ".join(map(str, self.shape))
        return (
            f"{self.name}: {len(self.train)} training, {len(self.validation)} validation and "
            f"{len(self.test)} test images of {shape}"
        )

    @property
    def shape(self) -> tuple[int, int, int]:
        """Height, width and channels."""
        return self.train.images.shape[1:]

    def pixels(self, split: ImageSplit) -> np.ndarray:
        """The images of a split as models take them: (n, height, width, channels), 0 to 1."""
        return split.images / np.float32(self.maximum)

    def class_name(self, number: int) -> str:
        """What a class is called."""
        known = 0 <= number < len(self.class_names)
        return self.class_names[number] if known else str(number)

    def class_number(self, name: str) -> int:
        """Which class has that name.

        Raises:
            InputError: none of the images has.
        """
        labels = [s.labels for s in (self.train, self.test) if s.labels is not None]
        numbers = {self.class_name(n): int(n) for n in np.unique(np.concatenate(labels or [[]]))}
        if name not in numbers:
            raise InputError(
                f"{self.name} has the classes {', '.join(numbers)}; received {name!r}"
                if numbers
                else f"{self.name} has no labels, so none of class {name!r}"
            )
        return numbers[name]

    def without_class(self, number: int) -> "ImageSet":
        """Training and validation images of all classes but one; the test images stay.

        Raises:
            InputError: there are no labels, or none of that class or of another.
        """
        if self.train.labels is None:
            raise InputError(f"{self.name} has no labels, so no class can be left out")
        train, validation = (s[s.labels != number] for s in (self.train, self.validation))
        if not len(train) or not len(validation) or len(train) == len(self.train):
            raise InputError(
                f"without class {self.class_name(number)} {self.name} has {len(train)} of "
                f"{len(self.train)} training and {len(validation)} of {len(self.validation)} "
                "validation images"
            )
        return replace(self, train=train, validation=validation, left_out=number)


def load_images(
    name: str | os.PathLike,
    *,
    data_dir: str | os.PathLike | None = None,
    seed: int = 0,
    progress: bool = True,
) -> ImageSet:
    """Load a set of images by its name.

    Args:
        name: "digits" (1,797 handwritten digits of 8 x 8 that come with scikit-learn), "mnist",
            "fashion_mnist" or "tfds:NAME" (TensorFlow Datasets), the path of a file as
            Keras' mnist.npz, or a folder of PNG and JPEG files (a subfolder for each class,
            or none).
        data_dir: where TFDS keeps its data sets; None: its own default.
        seed: decides which images are held out, where a set has no validation or test split.
        progress: whether TFDS shows its bars while it prepares.

    Raises:
        InputError: there is nothing of that name, it cannot be read, or it holds no images of one
            size and depth.
    """
    name = os.fspath(name)
    if name == EMBEDDED:
        return _complete(name, _read_digits(), seed, maximum=16)
    if name in TFDS_NAMES or name.startswith("tfds:"):
        splits, class_names = _read_tfds(name.removeprefix("tfds:"), data_dir, progress)
        return _complete(name, splits, seed, class_names)
    path = Path(name)
    if path.suffix == ".npz":
        images = _complete(path.name, _read_npz(path), seed)
        return replace(images, source=str(path.resolve()))
    if path.is_dir():
        *split, class_names = read_image_folder(path)
        images = _complete(path.resolve().name, {"train": ImageSplit(*split)}, seed, class_names)
        return replace(images, source=str(path.resolve()))
    raise InputError(
        f"--dataset must be {EMBEDDED}, {', '.join(TFDS_NAMES)}, tfds:NAME, an .npz file or a "
        f"folder of images; received {name!r}, which is "
        + ("a file of another kind" if path.exists() else "no file and no folder here")
    )


def one_hot_images(size: int = 4, copies: int = 1600) -> ImageSet:
    """The numbers 0 to size - 1, one hot, as images of one row; many times each, to train on."""
    numbers = np.arange(size)
    images = np.eye(size, dtype=np.uint8)[:, np.newaxis, :, np.newaxis]  # (size, 1, size, 1)
    one = ImageSplit(images, numbers)
    many = one[np.tile(numbers, copies)]
    return ImageSet(ONE_HOT, many, one, one, maximum=1, source=ONE_HOT)


def _read_digits() -> dict[str, ImageSplit]:
    from sklearn.datasets import load_digits

    digits = load_digits()
    return {"train": ImageSplit(digits.images[..., None].astype(np.uint8), digits.target)}


def _read_npz(path: Path) -> dict[str, ImageSplit]:
    """x_train, y_train, x_test, y_test, as `keras.datasets` stores them."""
    if path.is_file() and not zipfile.is_zipfile(path):
        raise InputError(f"cannot read {path}: it is no .npz file, or not all of one")
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        return {
            split: _checked(arrays[f"x_{split}"], arrays.get(f"y_{split}"), f"{path}, {split}")
            for split in ("train", "test")
        }
    except KeyError as error:
        raise InputError(
            f"{path} has no {error.args[0]}; expected x_train, y_train, x_test, y_test"
        ) from error
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"cannot read {path}: {error}") from error


def _read_tfds(
    name: str, data_dir, progress: bool
) -> tuple[dict[str, ImageSplit], tuple[str, ...]]:
    """Its splits, and the names of its classes."""
    from tf_models.data.tfds_builder import import_tfds, prepared_builder, read_examples

    builder = prepared_builder(name, data_dir, progress)
    features = builder.info.features
    image = [k for k, f in features.items() if isinstance(f, import_tfds().features.Image)]
    label = [k for k, f in features.items() if isinstance(f, import_tfds().features.ClassLabel)]
    if not image:
        raise InputError(f"tfds:{name} holds no images; its features: {', '.join(features)}")
    splits = {}
    for split in ("train", "validation", "test"):
        if split in builder.info.splits:
            examples = list(read_examples(builder, split))
            images = _stack([example[image[0]] for example in examples], f"tfds:{name}, {split}")
            labels = np.array([example[label[0]] for example in examples]) if label else None
            splits[split] = _checked(images, labels, f"tfds:{name}, {split}")
    if "train" not in splits:
        raise InputError(f"tfds:{name} has no split train; it has {', '.join(builder.info.splits)}")
    class_names = features[label[0]].names if label else None
    return splits, tuple(class_names or ())


def _stack(images: list[np.ndarray], name: str) -> np.ndarray:
    shapes = sorted({image.shape for image in images})
    if len(shapes) > 1:
        raise InputError(
            f"images must be of one size and depth; {name} has {_show(shapes[0])} and "
            f"{_show(shapes[1])}"
        )
    return np.stack(images) if images else np.zeros((0, 1, 1, 1), np.uint8)


def _show(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape))


def _checked(images: np.ndarray, labels: np.ndarray | None, name: str) -> ImageSplit:
    """As bytes, with an axis of channels."""
    if images.ndim == 3:
        images = images[..., np.newaxis]
    if images.ndim != 4 or not len(images):
        raise InputError(
            f"{name} must be images (n, height, width) or (n, height, width, channels); "
            f"received shape {images.shape}"
        )
    if not np.isfinite(images).all() or images.min() < 0 or images.max() > BYTE:
        raise InputError(
            f"values of {name} must be 0 to {BYTE}; received {images.min():g} to {images.max():g}"
        )
    if np.any(images != images.astype(np.uint8)):
        raise InputError(f"values of {name} must be whole numbers, 0 to {BYTE}; multiply by {BYTE}")
    if images.shape[-1] not in (1, 3):
        raise InputError(f"images must have 1 or 3 channels; {name} has {images.shape[-1]}")
    if labels is not None:
        labels = np.asarray(labels, np.int64).reshape(-1)
        if len(labels) != len(images):
            raise InputError(f"{name} has {len(images)} images and {len(labels)} labels")
    return ImageSplit(images.astype(np.uint8), labels)


def _complete(
    name: str,
    splits: dict[str, ImageSplit],
    seed: int,
    class_names: tuple[str, ...] = (),
    maximum: int = BYTE,
) -> ImageSet:
    """Hold out at random what is missing."""
    splits = dict(splits)
    random = np.random.default_rng([seed, 2])
    shapes = {split.images.shape[1:] for split in splits.values()}
    if len(shapes) > 1:
        shown = " and ".join(map(_show, sorted(shapes)))
        raise InputError(f"images must be of one size and depth; {name} has {shown}")
    given = len(splits["train"])
    for held_out, share in HELD_OUT.items():
        if held_out in splits:
            continue
        train, count = splits["train"], min(max(1, int(share * given)), MOST_HELD_OUT)
        if count >= len(train):
            raise InputError(f"{name} has too few images to hold some out: {given}")
        order = random.permutation(len(train))
        splits[held_out] = train[order[:count]]  # at random, so that the first few are of all
        splits["train"] = train[np.sort(order[count:])]
    parts = (splits[part] for part in ("train", *HELD_OUT))
    return ImageSet(name, *parts, maximum, source=name, class_names=class_names)
