"""What a recipe declares: the trainings that are compared, what is measured, how it is shown."""

from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from research.options import Parser, numbers
from tf_models.errors import InputError
from tf_models.training.settings import check_seed

Values = Mapping[str, float | None]  # by column; None where there is nothing to measure


class Run(NamedTuple):
    """One training: its label, its seed and its run directory."""

    label: str
    seed: int
    path: Path


class Results(dict[str, dict[str, list[float | None]]]):
    """A row for each setting, a column for each measure, and in them a value for each seed."""

    def add(self, row: str, values: Values) -> None:
        """Add one seed's values."""
        for column, value in values.items():
            self.setdefault(row, {}).setdefault(column, []).append(value)

    @property
    def columns(self) -> list[str]:
        """All columns, in order."""
        return list(dict.fromkeys(column for of_row in self.values() for column in of_row))

    def column(self, name: str) -> dict[str, list[float]]:
        """The values of each row that has some in this column."""
        return {
            row: of_row[name]
            for row, of_row in self.items()
            if None not in of_row.get(name, [None])
        }

    def table(self) -> list[str]:
        """Means over the seeds, with the lowest and the highest; the longer side goes down."""
        rows, columns = list(self), self.columns
        cells = [[_cell(self[row].get(column, [])) for column in columns] for row in rows]
        if len(columns) > len(rows):
            rows, columns = columns, rows
            cells = [list(of_column) for of_column in zip(*cells, strict=True)]
        first = max(map(len, rows))
        widths = [max(map(len, of_column)) + 2 for of_column in zip(columns, *cells, strict=True)]
        lines = []
        for name, of_row in zip(("", *rows), (columns, *cells), strict=True):
            aligned = (f"{cell:>{width}}" for cell, width in zip(of_row, widths, strict=True))
            lines.append(f"{name:{first}}" + "".join(aligned))
        return lines

    def seed_lines(self, column: str) -> list[str]:
        """The value of each seed, and how far the mean is from the first row's."""
        found = self.column(column)
        width, baseline = max(map(len, found)), fmean(next(iter(found.values())))
        lines = [f"{column:{width}}  difference  of each seed"]
        for row, values in found.items():
            each = "".join(f"{_number(value):>10}" for value in values)
            lines.append(f"{row:{width}}{fmean(values) - baseline:+12.4g}  {each}")
        return lines


def _cell(values: Iterable[float | None]) -> str:
    values = list(values)
    if not values or None in values:
        return "-"
    mean = _number(fmean(values))
    return mean if len(values) == 1 else f"{mean} [{_number(min(values))}, {_number(max(values))}]"


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


class Recipe:
    """An experiment. A subclass names what differs, and takes the rest from here.

    name: of the command.
    question: in one line, for --help.
    examples: for --help.
    trains: whether there is something to train; else there are no run directories.
    """

    name: str
    question: str
    examples: str
    trains = True

    def make_parser(self) -> Parser:
        """All options, those of `add_options` among them."""
        parser = Parser(self.question, self.examples)
        if self.trains:
            help = f"folder of the run directories; default: runs/{self.name}"
            parser.add_argument("--run-dir", type=Path, help=help)
        add_options(parser)
        return parser

    def folder(self, arguments: Namespace) -> Path:
        """Where the run directories go."""
        return arguments.run_dir or Path("runs") / self.name

    def labels(self, arguments: Namespace) -> list[str]:
        """What is compared. Whatever makes no sense is refused here, before hours are spent."""
        return [self.name]

    def prepare(self, arguments: Namespace) -> None:
        """Make what all trainings need."""

    def command(self, arguments: Namespace, run: Run) -> list[str] | None:
        """A command that makes this run; None: `train` does, in a process of its own."""
        return None

    def train(self, arguments: Namespace, run: Run) -> bool:
        """Train from wherever the run stands; return False if Ctrl-C ended it."""
        raise NotImplementedError

    def measurement(self, arguments: Namespace) -> Callable[[Run], Mapping[str, Values]]:
        """What measures a run: returns values by row of the table."""
        raise NotImplementedError

    def baselines(self, arguments: Namespace) -> Mapping[str, Values]:
        """Rows that need no training."""
        return {}

    def measure(self, arguments: Namespace, runs: Sequence[Run]) -> Results:
        """Measure all runs."""
        results, measure = Results(), self.measurement(arguments)
        for run in runs:
            for row, values in measure(run).items():
                results.add(row, values)
        for row, values in self.baselines(arguments).items():
            results.add(row, values)
        return results

    def figures(self, arguments: Namespace, results: Results, runs: Sequence[Run]) -> dict:
        """Matplotlib figures by name, the one for --output first."""
        from tf_models.plotting.points import plot_strips

        (first, *_) = results.columns
        return {self.name: plot_strips(results.column(first), axis_name=first, title=self.question)}


def add_options(parser: Parser) -> None:
    """--seeds, --jobs and --output."""
    group = parser.add_argument_group("experiment")
    group.add_argument(
        "--seeds", type=numbers, default=(0,), metavar="S,S", help="of the trainings; default: 0"
    )
    group.add_argument(
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help="trainings at a time, each on its share of the cores; default: 1, on all cores",
    )
    group.add_argument("--output", type=Path, metavar="F.png|pdf|svg", help="draw a figure, too")


def check_options(arguments: Namespace) -> None:
    """Refuse options of `add_options` that make no sense.

    Raises:
        InputError: which one, and what was received.
    """
    from tf_models.plotting.files import check_figure_path

    if not arguments.seeds or len(set(arguments.seeds)) != len(arguments.seeds):
        given = ",".join(map(str, arguments.seeds)) or "none"
        raise InputError(f"--seeds must be different numbers; received {given}")
    for seed in arguments.seeds:
        check_seed(seed)
    if arguments.jobs < 1:
        raise InputError(f"--jobs must be at least 1; received {arguments.jobs}")
    if arguments.output:
        check_figure_path(arguments.output)


def chosen(option: str, names: Iterable[str] | None, known: Iterable[str]) -> list[str]:
    """The names that an option chooses, all if it was left out.

    Raises:
        InputError: one of them is not known.
    """
    known = list(known)
    for name in names or ():
        if name not in known:
            raise InputError(f"{option} must be of {', '.join(known)}; received {name}")
    return known if names is None else list(dict.fromkeys(names))
