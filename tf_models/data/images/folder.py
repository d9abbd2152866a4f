"""A folder of the user's own images."""

from pathlib import Path

import numpy as np

from tf_models.data.images.dataset import ImageSplit, stack
from tf_models.errors import InputError

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


def read_image_folder(folder: Path) -> tuple[dict[str, ImageSplit], tuple[str, ...]]:
    """Read all PNG and JPEG files of a folder, in the order of their names, turned as they say.

    Args:
        folder: of files, or of one subfolder for each class; or of the subfolders train, test and
            validation (or val), train at least, each of files or of classes.

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
        images = stack(map(_read, files), files)
        splits[split] = ImageSplit(images, np.array(labels) if labels else None)
    return splits, tuple(names)


def _split_folders(folder: Path) -> dict[str, Path]:
    """Its subfolders by split, if all that hold images are named so; else the folder, to train on.

    A class may be called "train" where none is called as another split is.
    """
    named = [path for path in _subfolders(folder) if any(map(_image_files, _with_classes(path)))]
    splits = [SPLITS.get(path.name.lower()) for path in named]
    if "train" not in splits or set(splits) == {"train", None}:
        return {"train": folder}
    if None in splits or len(set(splits)) < len(splits):
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


def _read(path: Path) -> np.ndarray:
    """One image, (height, width, channels)."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with Image.open(path, formats=FORMATS) as image:
            if image.width * image.height > MAX_PIXELS:
                raise InputError(
                    f"{path} has {image.width} x {image.height} pixels; images may have "
                    f"{MAX_PIXELS:,}: make them smaller"
                )
            mode, channels = _mode(path, image.mode)
            values = np.asarray(ImageOps.exif_transpose(image).convert(mode))
    except UnidentifiedImageError as error:
        raise InputError(
            f"cannot read image {path}: its content is neither PNG nor JPEG, or it is damaged; "
            "save it again as one of them"
        ) from error
    except InputError:  # which is a ValueError, too
        raise
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise InputError(f"cannot read image {path}: {error}") from error
    return values.reshape(*values.shape[:2], channels)


def _mode(path: Path, mode: str) -> tuple[str, int]:
    if mode not in MODES:
        raise InputError(f"{path} has the colour mode {mode}; save it as grey (L) or as RGB")
    return MODES[mode]
