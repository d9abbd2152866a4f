"""A folder of the user's own images."""

from pathlib import Path

import numpy as np

from tf_models.data.images.dataset import stack
from tf_models.errors import InputError

SUFFIXES = (".png", ".jpg", ".jpeg")
# Pillow looks at the content, not at the name, and starts Ghostscript for PostScript.
FORMATS = ("PNG", "JPEG")
MAX_PIXELS = 1 << 24  # far more than any model here learns; a bomb claims billions
# Pillow's modes, what to make of them, and how deep they are.
MODES = {"1": ("L", 1), "L": ("L", 1), "P": ("RGB", 3), "RGB": ("RGB", 3)}


def read_image_folder(folder: Path) -> tuple[np.ndarray, np.ndarray | None, tuple[str, ...]]:
    """Read all PNG and JPEG files of a folder, in the order of their names.

    Args:
        folder: of files, or of one subfolder for each class.

    Returns:
        images (n, height, width, channels) uint8, 1 channel or 3; class numbers (n,) int64 in the
        order of the subfolders' names, or None where there are none; and these names.

    Raises:
        InputError: no image, a broken one, or images of several sizes or depths.
    """
    files, of_class = _list_files(folder)
    labels = None
    if of_class:
        files = [path for group in of_class.values() for path in group]
        labels = np.repeat(np.arange(len(of_class)), [len(group) for group in of_class.values()])
    return stack(map(_read, files), files), labels, tuple(of_class)


def _list_files(folder: Path) -> tuple[list[Path], dict[str, list[Path]]]:
    """The image files of `folder` itself, or those of each subfolder that has some."""
    try:
        subfolders = sorted(path for path in folder.iterdir() if path.is_dir())
        of_class = {path.name: files for path in subfolders if (files := _image_files(path))}
        beside = _image_files(folder)
    except OSError as error:
        raise InputError(f"cannot read {folder}: {error.strerror}") from error
    if beside and of_class:
        raise InputError(
            f"{folder} has images both beside its subfolders and in them; "
            "put all into a subfolder for each class, or all beside each other"
        )
    if not beside and not of_class:
        raise InputError(f"{folder} holds no image ({', '.join(SUFFIXES)})")
    return beside, of_class


def _image_files(folder: Path) -> list[Path]:
    named = sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES)
    for path in named:
        if not path.is_file():  # to open a pipe would wait for ever
            raise InputError(f"{path} is called an image, and is no file; move it away")
    return named


def _read(path: Path) -> np.ndarray:
    """One image, (height, width, channels)."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(path, formats=FORMATS) as image:
            if image.width * image.height > MAX_PIXELS:
                raise InputError(
                    f"{path} has {image.width} x {image.height} pixels; images may have "
                    f"{MAX_PIXELS:,}: make them smaller"
                )
            mode, channels = _mode(path, image.mode)
            values = np.asarray(image.convert(mode))
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
