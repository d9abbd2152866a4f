"""A folder of the user's own images."""

from pathlib import Path

import numpy as np

from tf_models.errors import InputError

SUFFIXES = (".png", ".jpg", ".jpeg")
# Pillow's modes, what to make of them, and how deep they are.
MODES = {"1": ("L", 1), "L": ("L", 1), "P": ("RGB", 3), "RGB": ("RGB", 3)}


def read_image_folder(
    folder: Path,
) -> tuple[np.ndarray, np.ndarray | None, tuple[str, ...]]:
    """Read all PNG and JPEG files of a folder, in the order of their names.

    Args:
        folder: of files, or of one subfolder for each class.

    Returns:
        images (n, height, width, channels) uint8, 1 channel or 3; class numbers (n,) int64 in the
        order of the subfolders' names, or None where there are none; and these names.

    Raises:
        InputError: no image, a broken one, or images of several sizes or depths.
    """
    try:
        classes = sorted(path for path in folder.iterdir() if path.is_dir())
        of_class = [_image_files(path) for path in classes]
        files = _image_files(folder)
    except OSError as error:
        raise InputError(f"cannot read {folder}: {error.strerror}") from error
    if files and any(of_class):
        raise InputError(
            f"{folder} has images both beside its subfolders and in them; "
            "put all into a subfolder for each class, or all beside each other"
        )
    labels, names = None, ()
    if not files:
        of_class = [paths for paths in of_class if paths]
        files = [path for paths in of_class for path in paths]
        labels = np.repeat(np.arange(len(of_class)), [len(paths) for paths in of_class])
        names = tuple(paths[0].parent.name for paths in of_class)
    if not files:
        raise InputError(f"{folder} holds no image ({', '.join(SUFFIXES)})")
    first = _read(files[0])
    images = np.empty((len(files), *first.shape), np.uint8)
    for i, path in enumerate(files):
        image = _read(path)
        if image.shape != first.shape:
            raise InputError(
                f"images must be of one size and depth; {files[0]} is {_show(first)} and {path} is "
                f"{_show(image)} (height x width x channels)"
            )
        images[i] = image
    return images, labels, names


def _image_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES)


def _read(path: Path) -> np.ndarray:
    """Height, width and channels."""
    from PIL import Image

    try:
        with Image.open(path) as image:
            if image.mode not in MODES:
                raise InputError(
                    f"{path} has the colour mode {image.mode}; save it as grey (L) or as RGB"
                )
            mode, channels = MODES[image.mode]
            values = np.asarray(image.convert(mode))
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"cannot read image {path}: {error}") from error
    return values.reshape(*values.shape[:2], channels)


def _show(image: np.ndarray) -> str:
    return " x ".join(map(str, image.shape))
