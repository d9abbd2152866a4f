"""Compare training runs: what the model had reached after so many minutes, as table and figure."""

import argparse
import math
from collections.abc import Sequence
from pathlib import Path

from tf_models.command_line import Parser, add_runs, names_of_runs, run
from tf_models.errors import InputError

EXAMPLES = """\
  python scripts/compare_runs.py --run-dir runs/multi30k-article runs/multi30k-best \\
      --output frontier.png
      validation BLEU after 5, 10, 20, 40 and 60 minutes (article needs --patience N for BLEU)
  python scripts/compare_runs.py --run-dir runs/a runs/b --label "one layer" "two layers" \\
      --metric val_accuracy --minutes 1 2 3"""

MINUTES = (5, 10, 20, 40, 60)
# Metrics, and which value is the best.
METRICS = {"val_bleu": max, "val_accuracy": max, "val_loss": min}


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
    from tf_models.plotting.files import figure_format

    labels = names_of_runs(arguments)
    check_minutes(arguments.minutes)
    if arguments.output:
        figure_format(arguments.output)  # refused before anything is printed
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


def best_so_far(path: Path, metric: str) -> tuple[list[float], list[float]]:
    """Minutes at the end of each epoch, and the best value until then: that checkpoint is kept."""
    from itertools import accumulate, compress

    from tf_models.training.history import History
    from tf_models.training.run_directory import RunDirectory

    run_directory = RunDirectory(path)
    run_directory.read_kind()  # refuses what is no run directory
    columns = History(run_directory.history_file).columns()
    if metric not in columns:
        known = ", ".join(name for name in METRICS if name in columns) or "no finished epoch"
        raise InputError(f"the history of {path} has no {metric}; it has {known}")
    minutes = [seconds / 60 for seconds in accumulate(columns["seconds"])]
    measured = [not math.isnan(value) for value in columns[metric]]  # BLEU, perhaps from later on
    values = compress(columns[metric], measured)
    return list(compress(minutes, measured)), list(accumulate(values, METRICS[metric]))


def print_table(runs, metric: str, marks: list[float]) -> None:
    width = max(len(metric), *map(len, runs))
    print(f"{metric:{width}}" + "".join(f"{minutes:>8g} min" for minutes in marks))
    for label, (minutes, values) in runs.items():
        reached = [value_at(minutes, values, mark) for mark in marks]
        print(f"{label:{width}}" + "".join(f"{value:>12}" for value in reached))


def value_at(minutes: list[float], values: list[float], mark: float) -> str:
    """The last value within `mark` minutes; "-" before the first epoch or after the last one."""
    within = [value for end, value in zip(minutes, values, strict=True) if end <= mark]
    return f"{within[-1]:.4g}" if within and mark <= math.ceil(minutes[-1]) else "-"


def draw(runs, arguments: argparse.Namespace) -> None:
    from tf_models.plotting.files import save_figure
    from tf_models.plotting.lines import plot_lines

    name = "BLEU" if arguments.metric == "val_bleu" else arguments.metric.removeprefix("val_")
    figure = plot_lines(
        runs,
        axis_names=("minutes of training", f"validation {name}, best so far"),
        marks=sorted(arguments.minutes),
        scales=("log", "linear"),
        title="what the minutes of training bring",
    )
    save_figure(figure, arguments.output)
    print(arguments.output)


if __name__ == "__main__":
    run(make_parser(), main)
