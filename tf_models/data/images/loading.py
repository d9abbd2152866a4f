"""Sets of images: embedded, of TensorFlow Datasets, of a Keras file, or of a folder."""

import os
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from tf_models.data.images.dataset import BYTE, ImageSet, ImageSplit, show_shape
from tf_models.errors import InputError

EMBEDDED = "digits"
ONE_HOT = "one-hot"
TFDS_NAMES = ("mnist", "fashion_mnist")
MAX_CLASSES = 1 << 16
HELD_OUT = {"validation": 0.1, "test": 0.2}  # shares, where a set has no such split
MAX_HELD_OUT = 2000  # images tell enough: of MNIST's 60,000, 58,000 are for training
SUFFIXES = (".png", ".jpg", ".jpeg")
SPLITS = {  # names of subfolders that are splits and no classes
    "train": "train",
    "test": "test",
    "val": "validation",
    "validation": "validation",
}
FORMATS = ("PNG", "JPEG")  # for PostScript, Pillow would start another program
MODES = {"1": "L", "L": "L", "P": "RGB", "RGB": "RGB"}  # of Pillow, and what to make of them
SAME_SIZE = "images must be of one size; --image-size N brings those of a folder or of TFDS to one"


def load_images(
    name: str | os.PathLike,
    *,
    data_dir: str | os.PathLike | None = None,
    seed: int = 0,
    image_size: tuple[int, int] | None = None,
) -> ImageSet:
    """Load a set of images by its name.

    Args:
        name: "digits" (1,797 handwritten digits of 8 x 8 that come with scikit-learn), "mnist",
            "fashion_mnist" or "tfds:NAME" (TensorFlow Datasets), the path of a file as
            Keras' mnist.npz, or a folder of PNG and JPEG files (see `read_image_folder`).
        data_dir: where TFDS keeps its data sets; None: its own default.
        seed: decides which images are held out, where a set has no validation or test split.
        image_size: height and width that the images of a folder or of TFDS are brought to: scaled
            until they just cover it, the middle cut out; None: they stay as they are.

    Raises:
        InputError: there is nothing of that name, it cannot be read, or it holds no images of one
            size.

    Example:
        >>> images = load_images("digits")
        >>> print(images.describe())
        digits: 1259 training, 179 validation and 359 test images of 8 x 8 x 1
    """
    name = os.fspath(name)
    path = Path(name)
    if name == EMBEDDED:
        from sklearn.datasets import load_digits

        digits = load_digits()
        train = ImageSplit(digits.images[..., None].astype(np.uint8), digits.target)
        images = _complete(name, {"train": train}, seed, maximum=16)
    elif name in TFDS_NAMES or name.startswith("tfds:"):
        splits, class_names = _read_tfds(name.removeprefix("tfds:"), data_dir, image_size)
        images = _complete(name, splits, seed, class_names)
    elif path.suffix == ".npz" or path.is_dir():
        read = read_image_folder(path, image_size) if path.is_dir() else read_npz(path)
        images = _complete(path.resolve().name, read[0], seed, read[1])
        images = replace(images, source=str(path.resolve()))
    else:
        raise InputError(
            f"--dataset must be {EMBEDDED}, {', '.join(TFDS_NAMES)}, tfds:NAME, an .npz file or a "
            f"folder of images; received {name!r}, which is "
            + ("a file of another kind" if path.exists() else "no file and no folder here")
        )
    if image_size is not None and images.shape[:2] != image_size:
        raise InputError(
            f"{name} has images of {show_shape(images.shape)}, not {show_shape(image_size)}; only "
            "those of a folder or of TFDS are brought to another size"
        )
    return images


def one_hot_images() -> ImageSet:
    """The numbers 0 to 3, one hot, as images of one row; many times each, to train on."""
    numbers = np.arange(4)
    images = np.eye(4, dtype=np.uint8)[:, np.newaxis, :, np.newaxis]  # (4, 1, 4, 1)
    once = ImageSplit(images, numbers)
    many = once[np.tile(numbers, 1600)]
    return ImageSet(ONE_HOT, many, once, once, maximum=1, source=ONE_HOT)


def read_npz(path: Path) -> tuple[dict[str, ImageSplit], tuple[str, ...]]:
    """x_train, y_train, x_test, y_test, as `keras.datasets` stores them: splits by name, and the
    names of the classes if the file has them as `class_names`.

    Raises:
        InputError: it cannot be read, or holds no images.
    """
    try:
        with np.load(path) as file:
            splits = {}
            for split in ("train", "test"):
                splits[split] = _split(file[f"x_{split}"], file.get(f"y_{split}"), split)
            return splits, tuple(map(str, file.get("class_names", ())))
    except (OSError, KeyError, ValueError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise InputError(f"cannot read {path}: {error}") from error


def _split(images: np.ndarray, labels: np.ndarray | None, name: str) -> ImageSplit:
    """Images as bytes, with an axis of channels; an InputError for other arrays."""
    images = images[..., np.newaxis] if images.ndim == 3 else images
    if images.ndim != 4 or images.shape[-1] not in (1, 3) or not images.size:
        raise InputError(
            f"{name} images must be (n, height, width) or (n, height, width, 1 or 3); received "
            f"shape {images.shape}"
        )
    in_bytes = images.astype(np.uint8)
    if np.any(images != in_bytes):
        raise InputError(
            f"values of {name} images must be whole numbers from 0 to {BYTE}; received "
            f"{images.min():g} to {images.max():g}"
        )
    if labels is None:
        return ImageSplit(in_bytes, None)
    numbers = labels.reshape(-1).astype(np.int64)
    if len(numbers) != len(images) or numbers.min() < 0 or numbers.max() >= MAX_CLASSES:
        raise InputError(
            f"{name} labels must be a class number, 0, 1 …, for each of {len(images)} images; "
            f"received shape {labels.shape}"
        )
    return ImageSplit(in_bytes, numbers)


def _read_tfds(
    name: str, data_dir: str | os.PathLike | None, size: tuple[int, int] | None
) -> tuple[dict[str, ImageSplit], tuple[str, ...]]:
    """Splits of a data set, and the names of its classes."""
    import tensorflow_datasets as tfds  # late: it is seldom needed

    from tf_models.data.tfds import prepared_builder, read_examples

    builder = prepared_builder(name, data_dir)
    features = builder.info.features
    image = [key for key, of in features.items() if isinstance(of, tfds.features.Image)]
    label = [key for key, of in features.items() if isinstance(of, tfds.features.ClassLabel)]
    if not image or "train" not in builder.info.splits:
        raise InputError(f"tfds:{name} has no training images; its features: {', '.join(features)}")
    splits = {}
    for split in ("train", "validation", "test"):
        if split in builder.info.splits:
            examples = list(read_examples(builder, split))
            labels = np.array([example[label[0]] for example in examples]) if label else None
            images = _stack([example[image[0]] for example in examples], size, f"tfds:{name}")
            splits[split] = _split(images, labels, f"tfds:{name}, {split},")
    return splits, tuple(features[label[0]].names if label else ())


def _complete(
    name: str,
    splits: dict[str, ImageSplit],
    seed: int,
    class_names: tuple[str, ...] = (),
    maximum: int | None = None,
) -> ImageSet:
    """Hold out at random what is missing.

    `maximum` is the greatest value; if left out, 1 where no value is greater, else that of a byte.
    """
    splits = dict(splits)
    if len({split.images.shape[1:] for split in splits.values()}) > 1:
        raise InputError(f"{name}: {SAME_SIZE}")
    if maximum is None:
        maximum = 1 if all(split.images.max() <= 1 for split in splits.values()) else BYTE
    random, given = np.random.default_rng([seed, 2]), len(splits["train"])
    for held_out, share in HELD_OUT.items():
        if held_out in splits:
            continue
        train, count = splits["train"], min(max(1, int(share * given)), MAX_HELD_OUT)
        if count >= len(train):
            raise InputError(f"{name} has too few images to hold some out: {given}")
        order = random.permutation(len(train))
        splits[held_out] = train[order[:count]]  # at random, so that the first few are of all
        splits["train"] = train[np.sort(order[count:])]
    train, validation, test = (splits[part] for part in ("train", *HELD_OUT))
    return ImageSet(name, train, validation, test, maximum, source=name, class_names=class_names)


def read_image_folder(
    folder: Path, size: tuple[int, int] | None = None
) -> tuple[dict[str, ImageSplit], tuple[str, ...]]:
    """Read all PNG and JPEG files of a folder, in the order of their names, turned as they say.

    Args:
        folder: of files, or of one subfolder for each class; or of the subfolders train, test and
            validation (or val), train at least, each of files or of classes.
        size: height and width that all are brought to; None: they must be of one size.

    Returns:
        by split, "train" alone if there are none, images (n, height, width, channels) uint8, 1
        channel or 3, and class numbers in the order of the subfolders' names, or None where there
        are no subfolders; and the names of all classes.

    Raises:
        InputError: no image, a broken one, or images of several sizes.
    """
    folders = {
        SPLITS[path.name.lower()]: path
        for path in folder.iterdir()
        if path.is_dir() and path.name.lower() in SPLITS
    }
    if "train" not in folders or len(folders) == 1:  # a class may be called train
        folders = {"train": folder}
    listed = {split: _list_files(path) for split, path in folders.items()}
    names = sorted({name for _, classes in listed.values() for name in classes})
    splits = {}
    for split, (files, classes) in listed.items():
        labels = np.array([names.index(name) for name in classes]) if classes else None
        splits[split] = ImageSplit(_stack(list(map(_read, files)), size, str(folder)), labels)
    return splits, tuple(names)


def _list_files(folder: Path) -> tuple[list[Path], list[str]]:
    """Image files of a folder; or those of its subfolders, and their classes."""
    beside, inside = (
        sorted(path for path in folder.glob(pattern) if path.suffix.lower() in SUFFIXES)
        for pattern in ("*", "*/*")
    )
    if bool(beside) == bool(inside):
        raise InputError(
            f"{folder} holds no images ({', '.join(SUFFIXES)}), or some beside subfolders of "
            "others; put all into a subfolder for each class, or all beside each other"
        )
    return beside or inside, [path.parent.name for path in inside]


def read_images(paths: Sequence[Path], shape: tuple[int, int, int]) -> np.ndarray:
    """PNG and JPEG files, brought to a shape (height, width, channels): scaled and cut off, in grey
    for one channel. Returns (n, height, width, channels) uint8.
    """
    mode = "RGB" if shape[-1] == 3 else "L"
    return _stack([_read(path, mode) for path in paths], shape[:2], "")


def _read(path: Path, mode: str | None = None) -> np.ndarray:
    """One image, (height, width, channels), of Pillow's mode, or as the file has it."""
    from PIL import Image, ImageOps

    try:
        with Image.open(path, formats=FORMATS) as image:
            if image.mode not in MODES:
                raise InputError(
                    f"{path} has the colour mode {image.mode}; save it as grey (L) or as RGB"
                )
            picture = ImageOps.exif_transpose(image).convert(mode or MODES[image.mode])
    except (OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise InputError(f"cannot read image {path}: {error}") from error
    return np.atleast_3d(np.asarray(picture))


def _stack(images: Sequence[np.ndarray], size: tuple[int, int] | None, name: str) -> np.ndarray:
    """Images (height, width, channels) as one array (n, height, width, channels), grey ones among
    coloured ones with three channels; scaled until they just cover a size, the middle cut out.
    """
    from PIL import Image, ImageOps

    if size is not None:
        flat = (image[..., 0] if image.shape[-1] == 1 else image for image in images)
        images = [np.atleast_3d(ImageOps.fit(Image.fromarray(i), size[::-1])) for i in flat]
    sizes, depth = {image.shape[:2] for image in images}, max(image.shape[-1] for image in images)
    if len(sizes) > 1:
        shown = ", ".join(map(show_shape, sorted(sizes)[:2]))
        raise InputError(f"{name}: {SAME_SIZE}; received {shown}")
    return np.stack([np.broadcast_to(image, (*image.shape[:2], depth)) for image in images])
