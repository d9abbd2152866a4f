"""One training script with several seeds: what the settings are worth, and what is chance."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from research.experiments.learning_curves import METRICS, axis_name, best_values, learning_curve
from research.experiments.recipe import Recipe, Results, Run
from research.options import Parser
from tf_models.errors import InputError
from tf_models.files import resolve
from tf_models.training.run_directory import History

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
OWN = ("--seed", "--run-dir")  # which each run gets from here


def training_scripts() -> dict[str, Path]:
    """The scripts that can be repeated, by name."""
    return {path.name: path for path in sorted(SCRIPTS.glob("train_*.py"))}


def script_of(name: str) -> Path:
    """A training script by its name, with or without folder and ending.

    Raises:
        InputError: there is none of that name.
    """
    known = training_scripts()
    found = known.get(f"{Path(name).name.removesuffix('.py')}.py")
    if found is None:
        raise InputError(f"the script must be one of {', '.join(known)}; received {name!r}")
    return found


class Repeat(Recipe):
    name = "repeat"
    question = "what is a training worth on average, and how far do seeds differ?"
    examples = """\
  python -m research.experiments repeat --seeds 0,1,2 --run-dir runs/digits-repeated \\
      train_vae.py --epochs 50
      a VAE of the embedded digits with three seeds, in minutes
  python -m research.experiments repeat --jobs 2 --seeds 0,1,2,3,4 --run-dir runs/elu \\
      --output elu.png train_vae.py --dataset mnist --activation elu --epochs 700
      two trainings at a time, each on half of the cores
  python -m research.experiments repeat --seeds 0,1,2 --run-dir runs/tanh --baseline runs/elu \\
      --output both.png train_vae.py --dataset mnist --epochs 700
      these settings beside others, whose seeds were trained before
Its own options come first, then a training script with its options, --seed and --run-dir apart.
A difference between two settings that is smaller than the range of the seeds may be chance."""

    def make_parser(self) -> Parser:
        parser = super().make_parser()
        parser.add_argument(
            "--baseline",
            type=Path,
            action="append",
            default=[],
            metavar="DIR",
            help="the --run-dir of an earlier command, to be shown, too; may be repeated",
        )
        parser.add_argument(
            "--metric", choices=METRICS, help="to draw; default: the first that the runs have"
        )
        parser.add_argument("script", help=f"{', '.join(training_scripts())}")
        parser.add_argument("options", nargs=argparse.REMAINDER, help="of the script")
        return parser

    def labels(self, arguments: argparse.Namespace) -> list[str]:
        script_of(arguments.script)
        for option in arguments.options:
            if option.partition("=")[0] in OWN:
                raise InputError(f"{option} is set for each run; name --seeds and --run-dir first")
        names = [resolve(path).name for path in (self.folder(arguments), *arguments.baseline)]
        if len(set(names)) < len(names):
            raise InputError("--run-dir and --baseline must name folders of different names")
        for path in arguments.baseline:
            if not _seeds_in(path):
                raise InputError(f"no seed was trained in {path}; train there with this command")
        return ["seed"]

    def command(self, arguments: argparse.Namespace, run: Run) -> list[str]:
        own = ["--seed", str(run.seed), "--run-dir", str(run.path)]
        return [sys.executable, str(script_of(arguments.script)), *arguments.options, *own]

    def histories(
        self, arguments: argparse.Namespace, runs: Sequence[Run]
    ) -> dict[str, dict[int, History]]:
        """By folder and seed."""
        own = {run.seed: run.path for run in runs}
        folders = {resolve(self.folder(arguments)).name: own}
        folders |= {resolve(path).name: _seeds_in(path) for path in arguments.baseline}
        return {
            name: {seed: History(path / "history.csv") for seed, path in seeds.items()}
            for name, seeds in folders.items()
        }

    def measure(self, arguments: argparse.Namespace, runs: Sequence[Run]) -> Results:
        results = Results()
        for name, of_seeds in self.histories(arguments, runs).items():
            for history in of_seeds.values():
                results.add(name, best_values(history))
        return results

    def figures(self, arguments: argparse.Namespace, results: Results, runs: Sequence[Run]) -> dict:
        """The mean over the epochs, in front of a band from the lowest to the highest seed."""
        from tf_models.plotting.lines import plot_lines

        common = [name for name in METRICS if all(name in of_row for of_row in results.values())]
        metric = arguments.metric or (common or [None])[0]
        if metric not in common:
            raise InputError(f"not all runs have {metric or 'a metric in common'}")
        curves = {
            f"{name} ({len(of_seeds)} seeds)": learning_curve(of_seeds, metric)
            for name, of_seeds in self.histories(arguments, runs).items()
        }
        figure = plot_lines(
            {label: (one.epochs, one.means) for label, one in curves.items()},
            ranges={label: (one.lowest, one.highest) for label, one in curves.items()},
            axis_names=("epoch", axis_name(metric)),
            title="mean and range over the seeds",
        )
        return {self.name: figure}


def _seeds_in(folder: Path) -> dict[int, Path]:
    """The run directories of an earlier command, by seed."""
    found = {
        int(path.parent.name.removeprefix("seed-")): path.parent
        for path in folder.glob("seed-*/history.csv")
        if path.parent.name.removeprefix("seed-").isdecimal()
    }
    return dict(sorted(found.items()))
