"""Images with labels: embedded digits, TFDS, Keras' .npz files, folders."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tf_models.errors import InputError, StrPath, counted
from tf_models.files import atomic_path

EMBEDDED = "digits"
ONE_HOT = "one-hot"
TFDS_NAMES = ("mnist", "fashion_mnist")
BYTE = 255  # the greatest value of images that come as bytes
HELD_OUT_SHARES = {"validation": 0.1, "test": 0.2}  # a set without such a split gives so much
MAX_HELD_OUT = 2000  # number of images that is enough to measure; MNIST keeps 58,000 to train on
KEPT_BYTES = 1 << 23  # most bytes of a split that a run keeps for figures; MNIST's test fits
SPLIT_FOLDERS = {"train": "train", "test": "test", "val": "validation", "validation": "validation"}
SUFFIXES = (".png", ".jpg", ".jpeg")
FORMATS = ("PNG", "JPEG")  # no others: for PostScript, Pillow would start another program
MODES = {  # colour mode of a file in Pillow -> mode in which it is read
    "1": "L",
    "L": "L",
    "LA": "L",
    "P": "RGB",
    "RGB": "RGB",
    "RGBA": "RGB",
}

HeightAndWidth = tuple[int, int]


@dataclass(frozen=True)
class Corruption:
    """Noise of a denoising autoencoder (Vincent et al. 2010, section 3.3)."""

    masking_noise: float = 0.0  # probability of a pixel to become 0
    gaussian_noise_std: float = 0.0  # standard deviation of what is added to every pixel


@dataclass(frozen=True)
class ImageSplit:
    """Images of one split, and their labels."""

    images: np.ndarray  # (n, height, width, channels) uint8
    labels: Any  # class numbers (n,) int64, or None

    def __len__(self) -> int:
        return len(self.images)

    def __getitem__(self, indices: np.ndarray) -> "ImageSplit":
        labels = None if self.labels is None else self.labels[indices]
        return ImageSplit(self.images[indices], labels)


RawImages = tuple[dict[str, ImageSplit], tuple[str, ...]]  # splits by name, names of the classes


@dataclass(frozen=True)
class ImageSet:
    """Training, validation and test images of one shape, 0 to `maximum`."""

    name: str
    train: ImageSplit
    validation: ImageSplit
    test: ImageSplit
    maximum: int = BYTE
    source: str = ""  # the name by which `load_images` loads it again
    class_names: tuple[str, ...] = ()  # names of the classes 0, 1 …; () without labels
    left_out: int | None = None  # number of the class that only test images have, if there is one

    @property
    def label(self) -> str:
        """The name as part of a path."""
        return Path(self.name).stem

    @property
    def shape(self) -> tuple[int, int, int]:
        """Height, width and channels."""
        return self.train.images.shape[1:]

    def describe(self) -> str:
        """Name, sizes and shape, on one line."""
        return (
            f"{self.name}: {len(self.train)} training, {len(self.validation)} validation and "
            f"{counted(len(self.test), 'test image')} of {show_shape(self.shape)}"
        )

    def pixels(self, split: ImageSplit) -> np.ndarray:
        """Images of a split as floats, (n, height, width, channels), 0 to 1."""
        return split.images / np.float32(self.maximum)

    def number_of_classes(self, reader: str) -> int:
        """Number of classes; an InputError without the labels `reader` needs."""
        if self.train.labels is None or self.test.labels is None:
            raise InputError(
                f"{reader} needs images with labels, and {self.name} has none: put the images of "
                "each class into a subfolder with its name"
            )
        return len(self.class_names)

    def classes(self, split: ImageSplit) -> dict[str, int]:
        """Numbers of the classes in a split, by name; empty without labels."""
        numbers = () if split.labels is None else np.unique(split.labels)
        return {self.class_names[number]: int(number) for number in numbers}

    def renumbered(self, names: Sequence[str]) -> "ImageSet":
        """Images with the class numbers of a model whose classes are `names`.

        Raises:
            InputError: the model has no class of one of the names.
        """
        if unknown := {*self.class_names} - {*names}:
            known = ", ".join(names)
            raise InputError(f"{self.name} has the class {min(unknown)!r}; the model has {known}")
        numbers = np.array([names.index(name) for name in self.class_names])
        train, validation, test = (
            split if split.labels is None else replace(split, labels=numbers[split.labels])
            for split in (self.train, self.validation, self.test)
        )
        return replace(
            self, train=train, validation=validation, test=test, class_names=tuple(names)
        )

    def without_class(self, name: str) -> "ImageSet":
        """Images without a class in training and validation; the test images stay."""
        self.number_of_classes("to leave out a class")
        if name not in self.class_names:
            known = ", ".join(self.class_names)
            raise InputError(f"{self.name} has no class {name!r}; its classes: {known}")
        number = self.class_names.index(name)
        train = self.train[self.train.labels != number]
        validation = self.validation[self.validation.labels != number]
        return replace(self, train=train, validation=validation, left_out=number)

    def save(self, path: StrPath, most_bytes: int | None = None) -> None:
        """Write training and test images for `read_npz`, each within `most_bytes`."""
        arrays = {"class_names": np.array(self.class_names, dtype=str)}
        for part, split in (("train", self.train), ("test", self.test)):
            count = most_bytes and max(1, most_bytes // split.images[0].nbytes)
            if count and len(split) > count:
                split = split[np.linspace(0, len(split) - 1, count).astype(int)]
            arrays[f"x_{part}"] = split.images
            if split.labels is not None:
                arrays[f"y_{part}"] = split.labels
        with atomic_path(path) as temporary:
            np.savez_compressed(temporary, **arrays)


def show_shape(shape: Sequence[int]) -> str:
    """A shape for a reader: "28 x 28 x 1"."""
    return " x ".join(map(str, shape))


def load_images(
    name: StrPath,
    *,
    data_dir: StrPath | None = None,
    seed: int = 0,
    image_size: HeightAndWidth | None = None,
) -> ImageSet:
    """Load a set of images by its name.

    Args:
        name: "digits" (1,797 of 8 x 8, of scikit-learn), "mnist" or "fashion_mnist" of TFDS,
            "one-hot", a file as Keras' mnist.npz, or a folder (see `read_image_folder`).
        data_dir: where TFDS keeps its data sets; None: its own default.
        seed: decides which images are held out, where a set has no validation or test split.
        image_size: height and width that the images of a folder get: each is scaled until it just
            covers them, and its middle is cut out; None: images stay as they are.

    Raises:
        InputError: there is no such set, it cannot be read, or its images are of several sizes.

    Example:
        >>> images = load_images("digits")
        >>> print(images.describe())
        digits: 1259 training, 179 validation and 359 test images of 8 x 8 x 1
    """
    name = os.fspath(name)
    path = Path(name)
    if name == ONE_HOT:
        images = one_hot_images()
    elif name == EMBEDDED:
        from sklearn.datasets import load_digits

        digits = load_digits()
        train = ImageSplit(digits.images[..., None].astype(np.uint8), digits.target)
        names = tuple(map(str, digits.target_names))
        images = _complete(name, ({"train": train}, names), seed, maximum=16)
    elif name in TFDS_NAMES:
        images = _complete(name, _read_tfds(name, data_dir), seed)
    elif path.suffix == ".npz" or path.is_dir():
        raw = read_image_folder(path, image_size) if path.is_dir() else read_npz(path)
        images = _complete(path.resolve().name, raw, seed)
        images = replace(images, source=str(path.resolve()))
    else:
        raise InputError(
            f"--dataset must be {EMBEDDED}, {', '.join(TFDS_NAMES)}, an .npz file or a folder of "
            f"images; received {name!r}"
        )
    if image_size is not None and images.shape[:2] != image_size:
        raise InputError(
            f"{name} has images of {show_shape(images.shape)}, not {show_shape(image_size)}; only "
            "those of a folder are brought to another size"
        )
    return images


def one_hot_images() -> ImageSet:
    """Numbers 0 to 3 as one-hot images of one row; 1,600 copies to train on."""
    numbers = np.arange(4)
    images = np.eye(4, dtype=np.uint8)[:, np.newaxis, :, np.newaxis]  # (4, 1, 4, 1)
    test = ImageSplit(images, numbers)
    train = test[np.tile(numbers, 1600)]
    return ImageSet(
        name=ONE_HOT,
        train=train,
        validation=test,
        test=test,
        maximum=1,
        source=ONE_HOT,
        class_names=tuple("0123"),
    )


def _complete(name: str, raw: RawImages, seed: int, maximum: int | None = None) -> ImageSet:
    """Hold out missing splits at random; without `maximum`, it is 1 or 255."""
    splits, class_names = raw
    if maximum is None:
        maximum = 1 if all(split.images.max() <= 1 for split in splits.values()) else BYTE
    random = np.random.default_rng([seed, 2])
    total = len(splits["train"])
    for split, share in HELD_OUT_SHARES.items():
        if split in splits:
            continue
        train = splits["train"]
        count = min(max(1, int(share * total)), MAX_HELD_OUT)
        if count >= len(train):
            raise InputError(f"{name} has too few images to hold some out: {total}")
        order = random.permutation(len(train))
        splits[split] = train[order[:count]]  # unsorted: the first few are of all classes
        splits["train"] = train[np.sort(order[count:])]
    return ImageSet(
        name=name,
        train=splits["train"],
        validation=splits["validation"],
        test=splits["test"],
        maximum=maximum,
        source=name,
        class_names=class_names,
    )


def _read_tfds(name: str, data_dir: StrPath | None) -> RawImages:
    from tf_models.data.tfds import prepared_builder, read_examples  # it imports TensorFlow

    builder = prepared_builder(name, data_dir)
    splits = {}
    for split in ("train", "test"):
        examples = list(read_examples(builder, split))
        images = np.stack([example["image"] for example in examples])
        splits[split] = ImageSplit(images, np.array([example["label"] for example in examples]))
    return splits, tuple(builder.info.features["label"].names)


def read_npz(path: StrPath) -> RawImages:
    """Read training and test images of an .npz file as of `keras.datasets`.

    It holds x_train, x_test, perhaps y_train, y_test, and class_names (else they are numbers).

    Raises:
        InputError: it cannot be read, or holds no images.
    """
    try:
        with np.load(path) as file:
            splits = {
                split: _split(file[f"x_{split}"], file.get(f"y_{split}"))
                for split in ("train", "test")
            }
            names = file.get("class_names")
    except Exception as error:  # NumPy, zipfile and zlib each raise their own
        raise InputError(f"cannot read {path}: {error}") from error
    if names is None:
        labels = [split.labels for split in splits.values() if split.labels is not None]
        names = range(1 + max((int(numbers.max()) for numbers in labels), default=-1))
    return splits, tuple(map(str, names))


def _split(images: np.ndarray, labels: np.ndarray | None) -> ImageSplit:
    """Images as bytes, with an axis of channels, and their class numbers."""
    images = images[..., np.newaxis] if images.ndim == 3 else images
    with np.errstate(invalid="ignore"):  # NaN is refused below
        in_bytes = images.astype(np.uint8)
    if images.ndim != 4 or images.shape[-1] not in (1, 3) or np.any(images != in_bytes):
        raise ValueError(
            "images must be (n, height, width) or (n, height, width, 1 or 3), whole numbers from "
            f"0 to {BYTE}; received shape {images.shape}, type {images.dtype}, from "
            f"{images.min(initial=0):g} to {images.max(initial=0):g}"
        )
    if labels is not None:
        numbers = labels.astype(np.int64).reshape(-1)
        if (
            len(numbers) != len(images)
            or np.any(numbers < 0)
            or np.any(numbers != labels.reshape(-1))
        ):
            raise ValueError(
                f"each of {len(images)} images needs a class number, 0, 1 …; received labels of "
                f"shape {labels.shape}, from {labels.min():g} to {labels.max():g} (one-hot rows: "
                "store their argmax)"
            )
        labels = numbers
    return ImageSplit(in_bytes, labels)


def read_image_folder(folder: StrPath, size: HeightAndWidth | None = None) -> RawImages:
    """PNG and JPEG files of a folder, sorted by name, turned as EXIF says.

    The folder is of files, or of one subfolder for each class; or of train and at least one of test
    and validation (or val), each of files or of classes. A size is as in `load_images`.

    Raises:
        InputError: no image, a broken one, or images of several sizes.
    """
    folder = Path(folder)
    subfolders = {path.name.lower(): path for path in folder.iterdir() if path.is_dir()}
    folders = {
        SPLIT_FOLDERS[name]: path for name, path in subfolders.items() if name in SPLIT_FOLDERS
    }
    if "train" not in folders or len(folders) == 1:  # a class may be called train
        folders = {"train": folder}
    listed = {split: _list_files(path) for split, path in folders.items()}
    names = sorted({name for _, classes in listed.values() for name in classes})
    splits = {}
    for split, (files, classes) in listed.items():
        labels = np.array([names.index(name) for name in classes]) if classes else None
        splits[split] = ImageSplit(_stacked(files, size, folder), labels)
    return splits, tuple(names)


def _list_files(folder: Path) -> tuple[list[Path], list[str]]:
    """Image files of a folder; or those of its subfolders, and their classes."""
    beside, inside = (
        sorted(path for path in folder.glob(pattern) if path.suffix.lower() in SUFFIXES)
        for pattern in ("*", "*/*")
    )
    if bool(beside) == bool(inside):
        raise InputError(
            f"{folder} holds no images ({', '.join(SUFFIXES)}), or some beside subfolders of others"
        )
    return beside or inside, [path.parent.name for path in inside]


def _stacked(paths: Sequence[Path], size: HeightAndWidth | None, folder: Path) -> np.ndarray:
    """Files as one array (n, height, width, channels), all grey or all RGB."""
    images = [_read(path, size) for path in paths]
    sizes = {image.shape[:2] for image in images}
    depth = max(image.shape[-1] for image in images)
    if len(sizes) > 1:
        shown = ", ".join(map(show_shape, sorted(sizes)[:2]))
        raise InputError(
            f"{folder}: images must be of one size, and --image-size N brings them to one; "
            f"received {shown}"
        )
    return np.stack([np.broadcast_to(image, (*image.shape[:2], depth)) for image in images])


def read_images(paths: Sequence[StrPath], shape: tuple[int, int, int]) -> np.ndarray:
    """Scaled, cropped PNGs and JPEGs: (n, height, width, channels) uint8."""
    mode = "RGB" if shape[-1] == 3 else "L"
    return np.stack([_read(path, shape[:2], mode) for path in paths])


def _read(path: StrPath, size: HeightAndWidth | None, mode: str | None = None) -> np.ndarray:
    """Image (height, width, channels) in a mode of Pillow, or in the file's."""
    from PIL import Image, ImageOps

    try:
        with Image.open(path, formats=FORMATS) as image:
            if image.mode not in MODES or _is_transparent(image):
                raise InputError(
                    f"{path} has the colour mode {image.mode} or is transparent; save it as opaque "
                    "RGB or grey"
                )
            picture = ImageOps.exif_transpose(image).convert(mode or MODES[image.mode])
    except (OSError, SyntaxError) as error:
        raise InputError(f"cannot read image {path}: {error}") from error
    return np.atleast_3d(np.asarray(ImageOps.fit(picture, size[::-1]) if size else picture))


def _is_transparent(image: Any) -> bool:
    """True if a pixel lets the background through."""
    if image.mode in ("LA", "RGBA"):
        return image.getchannel("A").getextrema() != (BYTE, BYTE)
    return image.has_transparency_data
