"""Figures as files: PNG, PDF and SVG."""

import io
from collections.abc import Mapping
from pathlib import Path

from matplotlib.figure import Figure
from PIL import Image

from tf_models.errors import InputError, Report, StrPath
from tf_models.files import check_writable
from tf_models.plotting.style import DOTS_PER_INCH

SUFFIXES = (".png", ".pdf", ".svg")


def save_figure(figure: Figure, path: StrPath) -> Path:
    """Save a figure as .png, .pdf or .svg, by the suffix; return the path.

    Creates a missing folder. Raises InputError for another suffix.
    """
    path = Path(path)
    _check_suffix(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=DOTS_PER_INCH, bbox_inches="tight")
    return path


def save_figures(figures: Mapping[str, Figure], folder: StrPath, report: Report) -> None:
    """Save each figure in a folder as NAME.png, and report the paths."""
    report("\nfigures:")
    for name, figure in figures.items():
        report(f"  {save_figure(figure, Path(folder, f'{name}.png'))}")


def check_figure_path(path: StrPath) -> None:
    """Raise an InputError before minutes are spent on a figure.

    The reason is a suffix unknown to `save_figure` or an unwritable path. Creates a missing folder.
    """
    path = Path(path)
    _check_suffix(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    check_writable(path)


def with_palette(picture: Image.Image) -> Image.Image:
    """Reduce a picture to 256 colours: a third of the size, nearly the same."""
    return picture.convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=1)


def drawn_with_palette(figure: Figure, dots_per_inch: int) -> Image.Image:
    """Draw a figure as a picture with a palette of 256 colours."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=dots_per_inch, bbox_inches="tight")
    return with_palette(Image.open(buffer))


def _check_suffix(path: Path) -> None:
    if path.suffix.lower() not in SUFFIXES:
        received = path.suffix or "no suffix"
        raise InputError(f"a figure is saved as .png, .pdf or .svg; received {received} in {path}")
