"""What nobody could read on a figure: texts that cover each other."""

from itertools import combinations

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

TOUCH = 1.5  # pixels by which boxes may overlap: letters do not fill theirs


def drawn_texts(figure):
    """[(text, its box in pixels)] of all that is written on a figure."""
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw_without_rendering()  # places everything, and paints nothing
    hidden = set(_hidden_labels(figure))
    return [
        (artist.get_text(), artist.get_window_extent(renderer))
        for artist in figure.findobj(Text)
        if artist.get_text().strip() and artist.get_visible() and artist not in hidden
    ]


def _hidden_labels(figure):
    """Labels of ticks beyond the limits of their axis, or of axes that are switched off."""
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            drawn = axis._update_ticks() if axes.axison else []
            for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
                if tick not in drawn:
                    yield from (tick.label1, tick.label2)


def unreadable(figure):
    """A line for each two texts that overlap."""
    return [
        f"{one!r} covers {other!r}"
        for (one, box), (other, other_box) in combinations(drawn_texts(figure), 2)
        if min(box.x1, other_box.x1) - max(box.x0, other_box.x0) > TOUCH
        and min(box.y1, other_box.y1) - max(box.y0, other_box.y0) > TOUCH
    ]
