"""Lines over a number of labels or of numbers in a code, from a table's rows and columns."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from research.experiments.recipe import Results
from tf_models.plotting.lines import plot_lines


def plot_series(
    results: Results,
    places: dict[str, float],
    *,
    axis_names: tuple[str, str],
    title: str,
    scales: tuple[str, str] = ("log", "linear"),
) -> Figure:
    """A line for each row, with means and bands from the lowest to the highest seed.

    Args:
        results: of the seeds.
        places: where each column stands on the x axis.
        axis_names: of x and y.
        title: above all.
        scales: of x and y.
    """
    lines, ranges = {}, {}
    for row, of_row in results.items():
        x = [place for column, place in places.items() if column in of_row]
        values: Sequence = [of_row[column] for column in places if column in of_row]
        lines[row] = x, [float(np.mean(seeds)) for seeds in values]
        ranges[row] = [min(seeds) for seeds in values], [max(seeds) for seeds in values]
    return plot_lines(
        lines,
        ranges=ranges,
        axis_names=axis_names,
        marks=list(places.values()),
        scales=scales,
        title=title,
    )
