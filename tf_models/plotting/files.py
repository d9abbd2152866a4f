"""Figures become files: whole or not at all, and the same figure always as the same bytes."""

import io
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure
from PIL import Image

from tf_models.errors import InputError, Report
from tf_models.files import atomic_path, check_writable
from tf_models.plotting.fonts import lettered
from tf_models.plotting.page import DOTS_PER_INCH

# Without these entries the time of writing would be in the file.
_METADATA = {".png": {"Software": None}, ".pdf": {"CreationDate": None}, ".svg": {"Date": None}}
# Names inside an SVG by content, not by chance; PDF text as letters that can be searched.
_SETTINGS = {"svg.hashsalt": "tf_models", "pdf.fonttype": 42, "savefig.bbox": "standard"}
MAX_PIXELS_A_SIDE = 20_000
MAX_COLOURS = 256  # of a palette: with fewer, the light blues of two maps become one
ANIMATION = ".gif"
ANIMATION_DOTS_PER_INCH = 110
SECONDS = 0.7  # that a figure of an animation is shown; the last one three times as long


def save_figure(figure: Figure, path: str | os.PathLike) -> Path:
    """Write `figure` to `path` as .png, .pdf or .svg, by its suffix; return the path.

    A missing folder is made.

    Raises:
        InputError: another suffix, a picture with too many pixels, or a place that cannot be
            written to.
    """
    path = Path(path)
    suffix = _figure_format(path)
    if suffix == ".png":
        width, height = (round(inches * DOTS_PER_INCH) for inches in figure.get_size_inches())
        if max(width, height) > MAX_PIXELS_A_SIDE:
            raise InputError(
                f"a picture of {width} x {height} pixels is too large (at most "
                f"{MAX_PIXELS_A_SIDE} a side): save it as .pdf or .svg, or draw less of it"
            )
    drawn = io.BytesIO()  # on a full disk matplotlib stumbles while it closes a file
    with matplotlib.rc_context(_SETTINGS), lettered(figure):
        figure.savefig(drawn, format=suffix[1:], dpi=DOTS_PER_INCH, metadata=_METADATA[suffix])
    make_folder(path.parent)
    with atomic_path(path) as temporary:
        temporary.write_bytes(drawn.getvalue())
    return path


def save_figures(figures: Mapping[str, Figure], folder: Path, report: Report) -> None:
    """Write each figure to a folder as NAME.png, and report the paths."""
    report("\nfigures:")
    for name, figure in figures.items():
        report(f"  {save_figure(figure, folder / f'{name}.png')}")


def save_animation(figures: Sequence[Figure], path: str | os.PathLike) -> Path:
    """Write figures of the same size as an endless .gif, whole or not at all; return the path.

    Raises:
        InputError: another suffix, or a place that cannot be written to.
        ValueError: no figures.
    """
    path = Path(path)
    if not is_animation(path):
        raise InputError(f"an animation is saved as .gif; received {path.suffix or 'no suffix'!r}")
    if not figures:
        raise ValueError("an animation needs one figure or more; received none")
    first, *others = [drawn_with_palette(figure, ANIMATION_DOTS_PER_INCH) for figure in figures]
    durations = [round(1000 * SECONDS)] * len(others) + [round(3000 * SECONDS)]
    options = {"save_all": True, "append_images": others, "duration": durations, "loop": 0}
    make_folder(path.parent)
    with atomic_path(path) as temporary:
        first.save(temporary, format="GIF", **options)
    return path


def is_animation(path: Path) -> bool:
    """Whether a file of that name is an animated picture."""
    return path.suffix.lower() == ANIMATION


def check_figure_path(path: Path) -> None:
    """Raise an InputError before minutes are spent on a figure: another suffix than `save_figure`
    knows, or a place that cannot be written to.
    """
    _figure_format(path)
    check_place(path)


def check_place(path: Path) -> None:
    """Raise an InputError if no file can be written there."""
    make_folder(path.parent)
    check_writable(path)


def make_folder(folder: Path) -> None:
    """Make the folder that a figure is to lie in; an InputError if that cannot be done."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {folder}: {error.strerror}") from error


def with_palette(picture: Image.Image) -> Image.Image:
    """The picture in 256 colours of its own: a third as large a file, and hardly different."""
    return picture.convert("RGB").quantize(MAX_COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=1)


def drawn_with_palette(figure: Figure, dots_per_inch: int) -> Image.Image:
    """A figure as a picture with a palette."""
    drawn = io.BytesIO()
    with lettered(figure):
        figure.savefig(drawn, format="png", dpi=dots_per_inch)
    with Image.open(drawn) as picture:
        return with_palette(picture)


def _figure_format(path: Path) -> str:
    """Suffix of `path`; an InputError if figures are not saved as such."""
    suffix = path.suffix.lower()
    if suffix not in _METADATA:
        raise InputError(
            f"a figure is saved as .png, .pdf or .svg; received {path.suffix or 'no suffix'!r} "
            f"in {path}"
        )
    return suffix
