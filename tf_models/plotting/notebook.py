"""Figures in a notebook: small pictures, each with a description."""

import base64
import io
import sys
from itertools import count
from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from tf_models.plotting.files import drawn_with_palette, save_figure

DOTS_PER_INCH = 90
FOLDER = Path("figures")  # a notebook that runs as a plain script saves its figures there
_numbers = count(1)


def show(figure: Figure, description: str, *, dots_per_inch: int = DOTS_PER_INCH) -> None:
    """Show a figure below a notebook's cell, and its description below that.

    A plain Python script has no cells: there the figure becomes a numbered file in the folder
    `figures`, and its path is printed.

    Args:
        figure: any matplotlib figure; it is closed, so that the cell does not show it twice.
        description: a sentence about the picture: its caption, and its text for screen readers.
        dots_per_inch: resolution of the picture in a notebook.
    """
    if _has_cells():
        _display(figure, description, dots_per_inch)
    else:
        name = f"{Path(sys.argv[0]).stem}-{next(_numbers):02}.png"
        description = f"{save_figure(figure, FOLDER / name)}: {description}"
    plt.close(figure)
    print(description)


def _has_cells() -> bool:
    """True if IPython runs this code; it may be imported and not in use."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and ipython.get_ipython() is not None


def _display(figure: Figure, description: str, dots_per_inch: int) -> None:
    from IPython.display import display  # installed for notebooks only

    buffer = io.BytesIO()
    drawn_with_palette(figure, dots_per_inch).save(buffer, format="PNG", optimize=True)
    picture = base64.b64encode(buffer.getvalue()).decode("ascii")
    display(
        {"image/png": picture, "text/plain": description},
        metadata={"image/png": {"alt": description}},
        raw=True,
    )
