"""One training script with several seeds: the worth of settings beside chance."""

import argparse
import math
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from research.experiments.recipe import Recipe, Results, Run, Values, read_history
from tf_models.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Columns to compare by, and which value is the best.
METRICS = {"val_bleu": max, "val_accuracy": max, "val_loss": min}
SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


class Repeat(Recipe):
    """A training script with its options, --seed and --run-dir apart, behind this one's options.

    A difference between two settings that is smaller than the range of the seeds may be chance.
    """

    name = "repeat"
    question = "what is a training worth on average, and how far do seeds differ?"

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        scripts = sorted(path.name for path in SCRIPTS.glob("train_*.py"))
        parser.add_argument("script", choices=scripts, metavar="SCRIPT", help=", ".join(scripts))
        parser.add_argument("options", nargs=argparse.REMAINDER, help="of the script")

    def labels(self) -> list[str]:
        return ["seed"]

    def train(self, run: Run) -> None:
        script = str(SCRIPTS / self.arguments.script)
        own = ["--seed", str(run.seed), "--run-dir", str(run.path)]
        status = subprocess.run([sys.executable, script, *self.arguments.options, *own]).returncode
        if status:
            raise InputError(f"the training in {run.path} ended with status {status}")

    def measure(self, run: Run) -> Mapping[str, Values]:
        """The best value of each metric, each in its own epoch."""
        columns = read_history(run.path)
        measured = {
            name: [value for value in columns.get(name, ()) if not math.isnan(value)]
            for name in METRICS
        }
        best = {name: METRICS[name](values) for name, values in measured.items() if values}
        return {self.arguments.script: best}

    def figure(self, results: Results, runs: Sequence[Run]) -> "Figure":
        """The mean over the epochs, in front of a band from the lowest to the highest seed."""
        from tf_models.plotting.lines import plot_lines

        metric = results.columns[0]
        curves = [read_history(run.path)[metric] for run in runs]
        values = list(zip(*curves, strict=False))  # (epochs, seeds)
        return plot_lines(
            {metric: (list(range(1, len(values) + 1)), [fmean(seeds) for seeds in values])},
            ranges={metric: ([min(seeds) for seeds in values], [max(seeds) for seeds in values])},
            axis_names=("epoch", metric),
            title="mean and range over the seeds",
        )
