"""Compare training runs: what the model had reached after so many minutes, as table and figure."""

import argparse
import math
from collections.abc import Sequence
from pathlib import Path

from tf_models.command_line import Parser, add_runs, names_of_runs, run
from tf_models.errors import InputError
from tf_models.training.run_comparison import METRICS, best_so_far

EXAMPLES = """\
  python scripts/compare_runs.py --run-dir runs/multi30k-article runs/multi30k-best \\
      --output frontier.png
      validation BLEU after 5, 10, 20, 40 and 60 minutes (article needs --patience N for BLEU)
  python scripts/compare_runs.py --run-dir runs/a runs/b --label "one layer" "two layers" \\
      --metric val_accuracy --minutes 1 2 3"""

MINUTES = (5, 10, 20, 40, 60)


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    add_runs(parser)
    parser.add_argument("--metric", choices=METRICS, default="val_bleu")
    parser.add_argument(
        "--minutes", type=float, nargs="+", default=MINUTES, help="default: 5 10 20 40 60"
    )
    parser.add_argument("--output", type=Path, metavar="F.png|pdf|svg", help="draw a figure, too")
    return parser


def main(arguments: argparse.Namespace) -> None:
    from tf_models.plotting.files import check_figure_path

    labels = names_of_runs(arguments)
    check_minutes(arguments.minutes)
    if arguments.output:
        check_figure_path(arguments.output)  # refused before anything is printed
    runs = {
        label: best_so_far(path, arguments.metric)
        for label, path in zip(labels, arguments.run_dir, strict=True)
    }
    print_table(runs, arguments.metric, sorted(arguments.minutes))
    if arguments.output:
        draw(runs, arguments)


def check_minutes(marks: Sequence[float]) -> None:
    if not all(0 < minutes < math.inf for minutes in marks):
        given = " ".join(f"{minutes:g}" for minutes in marks)
        raise InputError(f"--minutes must be numbers above 0; received {given}")


def print_table(runs, metric: str, marks: list[float]) -> None:
    width = max(len(metric), *map(len, runs))
    print(f"{metric:{width}}" + "".join(f"{minutes:>8g} min" for minutes in marks))
    for label, frontier in runs.items():
        reached = (frontier.at(mark) for mark in marks)
        cells = ("-" if value is None else f"{value:.4g}" for value in reached)
        print(f"{label:{width}}" + "".join(f"{cell:>12}" for cell in cells))


def draw(runs, arguments: argparse.Namespace) -> None:
    from tf_models.plotting.files import save_figure
    from tf_models.plotting.lines import plot_lines

    name = "BLEU" if arguments.metric == "val_bleu" else arguments.metric.removeprefix("val_")
    figure = plot_lines(
        runs,
        axis_names=("minutes of training", f"validation {name}, best so far"),
        marks=marks_within(runs, arguments.minutes),
        scales=("log", "linear"),
        title="what the minutes of training bring",
    )
    save_figure(figure, arguments.output)
    print(arguments.output)


def marks_within(runs, minutes: Sequence[float]) -> list[float]:
    """The minutes asked for at which a run had a value; none if they are too few for an axis."""
    reached = {mark for mark in minutes for run in runs.values() if run.at(mark) is not None}
    marks = sorted(reached)
    return marks if len(marks) > 1 else []


if __name__ == "__main__":
    run(make_parser(), main)
