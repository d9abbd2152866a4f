"""Pictures with a palette: a third as large as with all colours, and hardly different."""

import io

from matplotlib.figure import Figure
from PIL import Image

from tf_models.plotting.lettering import quiet_about_missing_glyphs

COLOURS = 256  # as many as there can be: with fewer, the light blues of two maps become one


def with_palette(picture: Image.Image, colours: int = COLOURS) -> Image.Image:
    """The picture in so many colours of its own, at most 256."""
    return picture.convert("RGB").quantize(colours, Image.Quantize.MAXCOVERAGE)


def drawn_with_palette(figure: Figure, dots_per_inch: int) -> Image.Image:
    """A figure as a picture with a palette."""
    drawn = io.BytesIO()
    with quiet_about_missing_glyphs():
        figure.savefig(drawn, format="png", dpi=dots_per_inch)
    with Image.open(drawn) as picture:
        return with_palette(picture)
