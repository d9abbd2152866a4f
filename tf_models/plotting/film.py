"""Several figures one after the other, as an animated picture."""

import os
from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure

from tf_models.errors import InputError
from tf_models.files import atomic_path
from tf_models.plotting.files import make_folder
from tf_models.plotting.palette import drawn_with_palette

DOTS_PER_INCH = 110
SECONDS = 0.7  # that a figure is shown; the last one three times as long


def is_film(path: Path) -> bool:
    """Whether a file of that name is a film."""
    return path.suffix.lower() == ".gif"


def save_film(figures: Sequence[Figure], path: str | os.PathLike, seconds: float = SECONDS) -> Path:
    """Write figures of the same size as an endless .gif, whole or not at all; return the path.

    Raises:
        InputError: another suffix, or a place that cannot be written to.
        ValueError: no figures.
    """
    path = Path(path)
    if not is_film(path):
        raise InputError(f"a film is saved as .gif; received {path.suffix or 'no suffix'!r}")
    if not figures:
        raise ValueError("a film needs one figure or more; received none")
    first, *others = [drawn_with_palette(figure, DOTS_PER_INCH) for figure in figures]
    durations = [round(1000 * seconds)] * len(others) + [round(3000 * seconds)]
    make_folder(path.parent)
    with atomic_path(path) as temporary:
        first.save(
            temporary,
            format="GIF",
            save_all=True,
            append_images=others,
            duration=durations,
            loop=0,
        )
    return path
