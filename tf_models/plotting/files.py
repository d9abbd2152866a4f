"""Figures as files: pictures and drawings."""

import io
import os
from collections.abc import Mapping
from pathlib import Path

from matplotlib.figure import Figure
from PIL import Image

from tf_models.errors import InputError, Report
from tf_models.files import check_writable
from tf_models.plotting.style import DOTS_PER_INCH

SUFFIXES = (".png", ".pdf", ".svg")


def save_figure(figure: Figure, path: str | os.PathLike) -> Path:
    """Write `figure` to `path` as .png, .pdf or .svg, by its suffix; return the path.

    A missing folder is made. Raises InputError: another suffix.
    """
    path = Path(path)
    _check_suffix(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=DOTS_PER_INCH, bbox_inches="tight")
    return path


def save_figures(figures: Mapping[str, Figure], folder: Path, report: Report) -> None:
    """Write each figure to a folder as NAME.png, and report the paths."""
    report("\nfigures:")
    for name, figure in figures.items():
        report(f"  {save_figure(figure, folder / f'{name}.png')}")


def check_figure_path(path: Path) -> None:
    """Raise an InputError before minutes are spent on a figure: another suffix than `save_figure`
    knows, or a place that cannot be written to.
    """
    _check_suffix(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    check_writable(path)


def with_palette(picture: Image.Image) -> Image.Image:
    """The picture in 256 colours of its own: a third as large a file, and hardly different."""
    return picture.convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=1)


def drawn_with_palette(figure: Figure, dots_per_inch: int) -> Image.Image:
    """A figure as a picture with a palette."""
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", dpi=dots_per_inch, bbox_inches="tight")
    return with_palette(Image.open(drawn))


def _check_suffix(path: Path) -> None:
    if path.suffix.lower() not in SUFFIXES:
        received = path.suffix or "no suffix"
        raise InputError(f"a figure is saved as .png, .pdf or .svg; received {received} in {path}")
