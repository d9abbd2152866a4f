"""Recipes whose columns are numbers of something: a line for each row over them."""

from argparse import Namespace
from collections.abc import Sequence
from statistics import fmean

from research.experiments.recipe import Recipe, Results, Run


class SeriesRecipe(Recipe):
    """A recipe that draws a line for each row, with a band from the lowest to the highest seed.

    axis_names: of x, where each column stands at the number that it begins with, and of y.
    scales: of x and y.
    """

    axis_names: tuple[str, str]
    scales = ("log", "linear")

    def figures(self, arguments: Namespace, results: Results, runs: Sequence[Run]) -> dict:
        from tf_models.plotting.lines import plot_lines

        lines, ranges = {}, {}
        for row, of_row in results.items():
            x, seeds = [number_of(column) for column in of_row], list(of_row.values())
            lines[row] = x, [fmean(values) for values in seeds]
            ranges[row] = [min(values) for values in seeds], [max(values) for values in seeds]
        figure = plot_lines(
            lines,
            ranges=ranges,
            axis_names=self.axis_names,
            marks=[number_of(column) for column in results.columns],
            scales=self.scales,
            title=self.question,
        )
        return {self.name: figure}


def number_of(column: str) -> float:
    """1,000 labels -> 1000.0"""
    return float(column.split()[0].replace(",", ""))
