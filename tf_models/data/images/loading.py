"""Sets of images: embedded, of TensorFlow Datasets, of a Keras file, or of a folder."""

import os
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from tf_models.data.images.dataset import BYTE, ImageSet, ImageSplit, fitted, show_shape, stack
from tf_models.errors import InputError

EMBEDDED = "digits"
ONE_HOT = "one-hot"
TFDS_NAMES = ("mnist", "fashion_mnist")
NUMBERS = "biuf"  # NumPy's kinds of them: truth values, whole and real ones
MAX_CLASSES = 1 << 16
HELD_OUT = {"validation": 0.1, "test": 0.2}  # shares, where a set has no such split
MAX_HELD_OUT = 2000  # images tell enough: of MNIST's 60,000, 58,000 are for training
SUFFIXES = (".png", ".jpg", ".jpeg")
SPLITS = {  # names of subfolders that are splits and no classes
    "train": "train",
    "training": "train",
    "test": "test",
    "testing": "test",
    "val": "validation",
    "valid": "validation",
    "validation": "validation",
}
# Pillow looks at the content, not at the name, and starts Ghostscript for PostScript.
FORMATS = ("PNG", "JPEG")
MAX_PIXELS = 1 << 24  # far more than any model here learns; a bomb claims billions
# Pillow's modes, what to make of them, and how deep they are.
MODES = {"1": ("L", 1), "L": ("L", 1), "P": ("RGB", 3), "RGB": ("RGB", 3)}
OF_DEPTH = {channels: mode for mode, channels in MODES.values()}


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
        image_size: height and width that the images of a folder or of TFDS are brought to (see
            `tf_models.data.images.dataset.fitted`); None: they stay as they are.

    Raises:
        InputError: there is nothing of that name, it cannot be read, or it holds no images of one
            size and depth, or of `image_size`.

    Example:
        >>> images = load_images("digits")
        >>> print(images.describe())
        digits: 1259 training, 179 validation and 359 test images of 8 x 8 x 1
    """
    images = _load(os.fspath(name), data_dir, seed, image_size)
    if image_size is not None and images.shape[:2] != image_size:
        raise InputError(
            f"only images of a folder or of tfds:NAME are brought to another size; {images.name} "
            f"has {show_shape(images.shape)}, and {show_shape(image_size)} is asked for"
        )
    return images


def is_of_any_size(name: str) -> bool:
    """Whether `load_images` brings a set to a size: those of a folder and of TFDS."""
    return name in TFDS_NAMES or name.startswith("tfds:") or Path(name).is_dir()


def _load(
    name: str, data_dir: str | os.PathLike | None, seed: int, size: tuple[int, int] | None
) -> ImageSet:
    if name == EMBEDDED:
        from sklearn.datasets import load_digits

        digits = load_digits()
        train = ImageSplit(digits.images[..., None].astype(np.uint8), digits.target)
        return _complete(name, {"train": train}, seed, maximum=16)
    if name in TFDS_NAMES or name.startswith("tfds:"):
        splits, class_names = _read_tfds(name.removeprefix("tfds:"), data_dir, size)
        return _complete(name, splits, seed, class_names)
    path = Path(name)
    if path.suffix == ".npz":
        splits, class_names = read_npz(path)
    elif path.is_dir():
        splits, class_names = read_image_folder(path, size)
    else:
        raise InputError(
            f"--dataset must be {EMBEDDED}, {', '.join(TFDS_NAMES)}, tfds:NAME, an .npz file or a "
            f"folder of images; received {name!r}, which is "
            + ("a file of another kind" if path.exists() else "no file and no folder here")
        )
    images = _complete(path.resolve().name, splits, seed, class_names)
    return replace(images, source=str(path.resolve()))


def one_hot_images() -> ImageSet:
    """The numbers 0 to 3, one hot, as images of one row; many times each, to train on."""
    numbers = np.arange(4)
    images = np.eye(4, dtype=np.uint8)[:, np.newaxis, :, np.newaxis]  # (4, 1, 4, 1)
    one = ImageSplit(images, numbers)
    many = one[np.tile(numbers, 1600)]
    return ImageSet(ONE_HOT, many, one, one, maximum=1, source=ONE_HOT)


def read_npz(path: Path) -> tuple[dict[str, ImageSplit], tuple[str, ...]]:
    """x_train, y_train, x_test, y_test, as `keras.datasets` stores them: splits by name, and the
    names of the classes if the file has them as `class_names`. Raises InputError: it cannot be
    read, or holds no images.
    """
    # To open a pipe would wait for whoever writes to it.
    if path.exists() and not (path.is_file() and zipfile.is_zipfile(path)):
        raise InputError(f"cannot read {path}: it is no .npz file, or not all of one")
    try:
        with np.load(path, allow_pickle=False) as file:
            known = [f"{kind}_{split}" for split in ("train", "test") for kind in "xy"]
            known.append("class_names")
            arrays = {name: file[name] for name in known if name in file.files}
        splits = {
            split: _checked(arrays[f"x_{split}"], arrays.get(f"y_{split}"), f"{path}, {split}")
            for split in ("train", "test")
        }
        return splits, tuple(map(str, arrays.get("class_names", np.array(())).reshape(-1)))
    except KeyError as error:
        raise InputError(
            f"{path} has no {error.args[0]}; expected x_train, y_train, x_test, y_test"
        ) from error
    except InputError:  # which is a ValueError, too
        raise
    # A RuntimeError: encrypted, or packed in a way that Python does not know.
    except (OSError, ValueError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise InputError(f"cannot read {path}: {error}") from error


def _read_tfds(
    name: str, data_dir: str | os.PathLike | None, size: tuple[int, int] | None
) -> tuple[dict[str, ImageSplit], tuple[str, ...]]:
    """Its splits, and the names of its classes."""
    from tf_models.data.tfds import import_tfds, prepared_builder, read_examples

    builder = prepared_builder(name, data_dir)
    features = builder.info.features
    image = [k for k, f in features.items() if isinstance(f, import_tfds().features.Image)]
    label = [k for k, f in features.items() if isinstance(f, import_tfds().features.ClassLabel)]
    if not image:
        raise InputError(f"tfds:{name} holds no images; its features: {', '.join(features)}")
    splits = {}
    for split in ("train", "validation", "test"):
        if split in builder.info.splits:
            examples = list(read_examples(builder, split))
            numbered = [f"image {i} of split {split}" for i in range(1, len(examples) + 1)]
            images = stack([example[image[0]] for example in examples], numbered, size)
            labels = np.array([example[label[0]] for example in examples]) if label else None
            splits[split] = _checked(images, labels, f"tfds:{name}, {split}")
    if "train" not in splits:
        raise InputError(f"tfds:{name} has no split train; it has {', '.join(builder.info.splits)}")
    class_names = features[label[0]].names if label else None
    return splits, tuple(class_names or ())


def _checked(images: np.ndarray, labels: np.ndarray | None, name: str) -> ImageSplit:
    """As bytes, with an axis of channels."""
    images = np.asarray(images)  # of an .npz file's member that is no array, NumPy gives the bytes
    if images.dtype.kind not in NUMBERS:
        raise InputError(f"values of {name} must be numbers; received {images.dtype}")
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
        labels = _class_numbers(labels, name)
        if len(labels) != len(images):
            raise InputError(f"{name} has {len(images)} images and {len(labels)} labels")
    return ImageSplit(images.astype(np.uint8), labels)


def _class_numbers(labels: np.ndarray, name: str) -> np.ndarray:
    """(n,) int64."""
    labels = np.asarray(labels).reshape(-1)
    if labels.dtype.kind not in NUMBERS or not np.all((labels >= 0) & (labels < MAX_CLASSES)):
        shown = np.unique(labels.astype(str))[[0, -1]] if labels.size else labels
        raise InputError(
            f"labels of {name} must be numbers, 0 to {MAX_CLASSES - 1}; received {labels.dtype}: "
            f"{' … '.join(shown)}"
        )
    whole = labels.astype(np.int64)
    if np.any(whole != labels):
        raise InputError(f"labels of {name} must be whole numbers, one for each class")
    return whole


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
    if maximum is None:
        maximum = 1 if all(one.images.max() <= 1 for one in splits.values()) else BYTE
    random = np.random.default_rng([seed, 2])
    shapes = {split.images.shape[1:] for split in splits.values()}
    if len(shapes) > 1:
        shown = " and ".join(map(show_shape, sorted(shapes)))
        raise InputError(
            f"images must be of one size and depth; {name} has {shown}; --image-size N brings "
            "images of a folder or of tfds:NAME to one size"
        )
    given = len(splits["train"])
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
        InputError: no image, a broken one, images of several sizes or depths, or a split twice.
    """
    listed = {split: _list_files(path) for split, path in _split_folders(folder).items()}
    names = sorted({name for _, of_class in listed.values() for name in of_class})
    splits = {}
    for split, (files, of_class) in listed.items():
        labels = [names.index(name) for name, group in of_class.items() for _ in group]
        files = files or [path for group in of_class.values() for path in group]
        images = stack(map(_read, files), files, size)
        splits[split] = ImageSplit(images, np.array(labels) if labels else None)
    return splits, tuple(names)


def _split_folders(folder: Path) -> dict[str, Path]:
    """Its subfolders by split, if all that hold images are named so; else the folder, to train on.

    A class may be called "train" where none is called as another split is.
    """
    named = [path for path in _subfolders(folder) if any(map(_image_files, _with_classes(path)))]
    splits = [SPLITS.get(path.name.lower(), "") for path in named]
    if "train" not in splits or set(splits) == {"train", ""}:
        return {"train": folder}
    if "" in splits or len(set(splits)) < len(splits):
        raise InputError(
            f"{folder} has train, test and validation folders beside others, or one of them twice: "
            f"{', '.join(path.name for path in named)}; keep one folder for each split"
        )
    return dict(zip(splits, named, strict=True))


def _with_classes(folder: Path) -> list[Path]:
    return [folder, *_subfolders(folder)]


def _subfolders(folder: Path) -> list[Path]:
    return [path for path in _entries(folder) if path.is_dir()]


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        raise InputError(f"cannot read {folder}: {error.strerror}") from error


def _list_files(folder: Path) -> tuple[list[Path], dict[str, list[Path]]]:
    """The image files of `folder` itself, or those of each subfolder that has some."""
    beside, *inside = map(_image_files, _with_classes(folder))
    classes = zip(_subfolders(folder), inside, strict=True)
    of_class = {path.name: files for path, files in classes if files}
    if beside and of_class:
        raise InputError(
            f"{folder} has images both beside its subfolders and in them; "
            "put all into a subfolder for each class, or all beside each other"
        )
    if not beside and not of_class:
        raise InputError(f"{folder} holds no image ({', '.join(SUFFIXES)})")
    return beside, of_class


def _image_files(folder: Path) -> list[Path]:
    named = [path for path in _entries(folder) if path.suffix.lower() in SUFFIXES]
    for path in named:
        if not path.is_file():  # to open a pipe would wait for ever
            raise InputError(f"{path} is called an image, and is no file; move it away")
    return named


def read_images(paths: Sequence[Path], shape: tuple[int, int, int]) -> np.ndarray:
    """PNG and JPEG files, brought to a shape (height, width, channels): scaled and cut off (see
    `fitted`), in grey for one channel. Returns (n, height, width, channels) uint8.

    Raises:
        InputError: a file cannot be read, or is no image.
    """
    return np.stack([fitted(_read(path, shape[-1]), shape[:2]) for path in paths])


def _read(path: Path, depth: int | None = None) -> np.ndarray:
    """One image, (height, width, channels), with so many channels, or with those of the file."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with Image.open(path, formats=FORMATS) as image:
            if image.width * image.height > MAX_PIXELS:
                raise InputError(
                    f"{path} has {image.width} x {image.height} pixels; images may have "
                    f"{MAX_PIXELS:,}: make them smaller"
                )
            if image.mode not in MODES:
                raise InputError(
                    f"{path} has the colour mode {image.mode}; save it as grey (L) or as RGB"
                )
            mode, channels = (OF_DEPTH[depth], depth) if depth else MODES[image.mode]
            values = np.asarray(ImageOps.exif_transpose(image).convert(mode))
    except UnidentifiedImageError as error:
        raise InputError(
            f"cannot read image {path}: its content is neither PNG nor JPEG, or it is damaged; "
            "save it again as one of them"
        ) from error
    except InputError:  # which is a ValueError, too
        raise
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot read image {path}: {reason}") from error
    return values.reshape(*values.shape[:2], channels)
