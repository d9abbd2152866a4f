"""An experiment declares its trainings, what is measured of them, and how it is shown."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from research.results import Results, Values
from tf_models.errors import InputError
from tf_models.training.run_directory import History, RunDirectory

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Run(NamedTuple):
    """One training: its label, its seed and its run directory."""

    label: str
    seed: int
    path: Path


def read_history(run_dir: Path) -> dict[str, list[float]]:
    """The columns of history.csv, with a value for each epoch."""
    return History.read(RunDirectory(run_dir).history_file).columns()


class Recipe:
    """An experiment. A subclass says what differs.

    For `--help` its module imports neither TensorFlow nor Matplotlib; what trains, measures or
    draws imports them.

    name: of the command.
    question: in one line, for --help.
    trains: whether there are run directories to fill before anything is measured.
    draws: whether it has a figure.

    Args:
        arguments: of the command line.
    """

    name: str
    question: str
    trains = draws = True

    def __init__(self, arguments: Namespace):
        self.arguments = arguments

    @classmethod
    def add_options(cls, parser: ArgumentParser) -> None:
        """Options of this experiment alone."""

    @property
    def folder(self) -> Path:
        """Parent of the run directories."""
        return self.arguments.run_dir or Path("runs") / self.name

    def labels(self) -> list[str]:
        """Names of the settings that are compared."""
        return [self.name]

    def train(self, run: Run) -> None:
        """Train a run to its end, from wherever it stands."""
        raise NotImplementedError

    def measure(self, run: Run) -> Mapping[str, Values]:
        """Values of a run, by row of the table."""
        raise NotImplementedError

    def results(self, runs: Sequence[Run]) -> Results:
        """Measure all runs."""
        results = Results()
        for run in runs:
            for row, values in self.measure(run).items():
                results.add(row, values)
        return results

    def figure(self, results: Results, runs: Sequence[Run]) -> "Figure":
        """The figure of an experiment that draws."""
        raise NotImplementedError


class SeriesRecipe(Recipe):
    """A recipe whose columns begin with a number: a line for each row, with the seeds' range.

    axis_names: of x and y.
    scales: of x and y.
    """

    axis_names: tuple[str, str]
    scales = ("log", "linear")

    def figure(self, results: Results, runs: Sequence[Run]) -> "Figure":
        from tf_models.plotting.lines import plot_lines

        lines, ranges = {}, {}
        for row, of_row in results.items():
            x, seeds = [number_of(column) for column in of_row], results.measured(row)
            lines[row] = x, [fmean(values) for values in seeds]
            ranges[row] = [min(values) for values in seeds], [max(values) for values in seeds]
        return plot_lines(
            lines,
            ranges=ranges,
            axis_names=self.axis_names,
            marks=[number_of(column) for column in results.columns],
            scales=self.scales,
            title=self.question,
        )


def number_of(column: str) -> float:
    """1,000 labels -> 1000.0"""
    return float(column.split()[0].replace(",", ""))


def chosen(option: str, names: Iterable[str] | None, known: Iterable[str]) -> list[str]:
    """The names that an option chooses, all if it was left out.

    Raises:
        InputError: one of them is unknown.
    """
    known = list(known)
    for name in names or ():
        if name not in known:
            raise InputError(f"{option} must be of {', '.join(known)}; received {name}")
    return known if names is None else list(dict.fromkeys(names))
