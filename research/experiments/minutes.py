"""What finished runs had reached after so many minutes of training."""

import argparse
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from research.experiments.learning_curves import METRICS, BestSoFar, axis_name, best_so_far
from research.experiments.recipe import Recipe, Results, Run, Values
from research.options import Parser, names_of_runs
from tf_models.errors import InputError


def positive_numbers(text: str) -> tuple[float, ...]:
    """Numbers above 0 with commas between them, for `type=`."""
    found = tuple(float(number) for number in text.split(","))
    if not all(0 < number < math.inf for number in found):
        raise argparse.ArgumentTypeError(f"must be numbers above 0; received {text}")
    return tuple(sorted(found))


class Minutes(Recipe):
    name = "minutes"
    question = "what had runs reached after so many minutes of training?"
    examples = """\
  python -m research.experiments minutes --run-dir runs/multi30k-article runs/multi30k-best \\
      --output minutes.png
      validation BLEU after 5, 10, 20, 40 and 60 minutes (article needs --patience N for BLEU)
  python -m research.experiments minutes --run-dir runs/a runs/b --label "one layer" "two layers" \\
      --metric val_accuracy --at 1,2,3"""
    trains = False

    def make_parser(self) -> Parser:
        parser = super().make_parser()
        parser.add_argument("--run-dir", type=Path, nargs="+", required=True)
        parser.add_argument("--label", nargs="+", help="a name for each run; default: the folder's")
        parser.add_argument("--metric", choices=METRICS, default="val_bleu")
        parser.add_argument(
            "--at",
            type=positive_numbers,
            default=(5, 10, 20, 40, 60),
            metavar="M,M",
            help="minutes; default: 5,10,20,40,60",
        )
        return parser

    def labels(self, arguments: argparse.Namespace) -> list[str]:
        if arguments.seeds != (0,):
            raise InputError("minutes reads runs that are there: leave --seeds out")
        return names_of_runs(arguments)

    def reached(self, arguments: argparse.Namespace) -> dict[str, BestSoFar]:
        """The best value so far of each run, by label."""
        paths = zip(self.labels(arguments), arguments.run_dir, strict=True)
        return {label: best_so_far(path, arguments.metric) for label, path in paths}

    def measurement(self, arguments: argparse.Namespace) -> Callable[[Run], Mapping[str, Values]]:
        reached = self.reached(arguments)

        def measure(run: Run) -> dict[str, Values]:
            values = {f"{mark:g} min": reached[run.label].at(mark) for mark in arguments.at}
            return {run.label: values}

        return measure

    def figures(self, arguments: argparse.Namespace, results: Results, runs: Sequence[Run]) -> dict:
        from tf_models.plotting.lines import plot_lines

        reached = self.reached(arguments)
        marks = [m for m in arguments.at if any(r.at(m) is not None for r in reached.values())]
        figure = plot_lines(
            reached,
            axis_names=("minutes of training", f"{axis_name(arguments.metric)}, best so far"),
            marks=marks if len(marks) > 1 else [],  # one is too few for an axis
            scales=("log", "linear"),
            title="what the minutes of training bring",
        )
        return {self.name: figure}
