"""Figures in a notebook: small files, each with words for those who cannot see it."""

import base64
import io

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from tf_models.plotting.files import drawn_with_palette

DOTS_PER_INCH = 90


def show(figure: Figure, description: str, *, dots_per_inch: int = DOTS_PER_INCH) -> None:
    """Show a figure below a notebook's cell.

    Args:
        figure: any matplotlib figure; it is closed, so that the cell does not show it twice.
        description: what there is to see, in a sentence: the text of the picture where pictures
            are not shown, and for screen readers.
        dots_per_inch: of the picture.
    """
    from IPython.display import display  # only a notebook has it

    small = io.BytesIO()
    drawn_with_palette(figure, dots_per_inch).save(small, format="PNG", optimize=True)
    picture = base64.b64encode(small.getvalue()).decode("ascii")
    plt.close(figure)
    display(
        {"image/png": picture, "text/plain": description},
        metadata={"image/png": {"alt": description}},
        raw=True,
    )
