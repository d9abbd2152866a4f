"""Train with several seeds, and say what comes out on average and how far the seeds differ.

A difference between two settings that is smaller than the range of the seeds may be chance.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tf_models.command_line import INTERRUPTED, Parser, numbers, run
from tf_models.errors import InputError
from tf_models.files import resolve
from tf_models.training.run_comparison import METRICS
from tf_models.training.settings import check_seed

EXAMPLES = """\
  python scripts/repeat.py --run-dir runs/digits-repeated train_vae.py --epochs 50
      a VAE of the embedded digits with the seeds 0, 1 and 2, in minutes
  python scripts/repeat.py --jobs 2 --seeds 0,1,2,3,4 --run-dir runs/elu --output elu.png \\
      train_vae.py --dataset mnist --activation elu --learning-rate 0.003 --epochs 700
      two trainings at a time, each on half of the cores
  python scripts/repeat.py --run-dir runs/tanh --beside runs/elu --output both.png \\
      train_vae.py --dataset mnist --learning-rate 0.003 --epochs 700
      these settings beside others, whose seeds were trained before
Its own options come first, then a training script with its options, --seed and --run-dir apart.
Ctrl-C saves; the same command goes on where it stopped, and more seeds may be named."""

OWN = ("--seed", "--run-dir")  # which each run gets from here


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("--run-dir", type=Path, required=True, help="a run for each seed goes here")
    parser.add_argument(
        "--seeds", type=numbers, default=(0, 1, 2), metavar="S,S", help="default: 0,1,2"
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help="trainings at a time, each on its share of the cores; default: 1, on all cores",
    )
    parser.add_argument(
        "--beside",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="the --run-dir of an earlier command, to be shown, too; may be repeated",
    )
    parser.add_argument(
        "--metric", help=f"to draw: {', '.join(METRICS)}; default: the first that the runs have"
    )
    parser.add_argument("--output", type=Path, metavar="F.png|pdf|svg", help="draw a figure, too")
    parser.add_argument("script", help=f"{', '.join(training_scripts())}")
    parser.add_argument("options", nargs=argparse.REMAINDER, help="of the script")
    return parser


def training_scripts() -> dict[str, Path]:
    """The scripts that can be repeated, by name."""
    return {path.name: path for path in sorted(Path(__file__).parent.glob("train_*.py"))}


def main(arguments: argparse.Namespace) -> int | None:
    from tf_models.plotting.files import check_figure_path
    from tf_models.training.repeats import Repeats

    if arguments.output:
        check_figure_path(arguments.output)  # refused before hours are spent
    check(arguments)
    command = [sys.executable, str(script_of(arguments.script)), *arguments.options]
    repeats = Repeats(arguments.run_dir)
    shown = {resolve(arguments.run_dir).name: repeats}
    shown |= {resolve(path).name: finished_repeats(path) for path in arguments.beside}
    if len(shown) != 1 + len(arguments.beside):
        raise InputError("--run-dir and --beside must name folders of different names")
    if status := train(repeats, command, arguments):
        return status
    show(shown, arguments)
    return None


def train(repeats, command: Sequence[str], arguments: argparse.Namespace) -> int:
    """Train with the seeds that have not finished; return the exit status."""
    seeds = arguments.seeds
    places = {
        seed: f"seed {seed} ({number} of {len(seeds)}), {repeats.run_dir(seed)}"
        for number, seed in enumerate(seeds, start=1)
    }
    left = [seed for seed in seeds if not repeats.has_finished(command, seed)]
    for seed in seeds:
        if seed not in left:
            print(f"{places[seed]}: finished before")

    def begin(seed: int) -> None:
        print(f"{places[seed]}:", flush=True)

    jobs = min(arguments.jobs, len(seeds))  # so that each goes on with as many cores as before
    status = repeats.train(command, left, jobs, begin)
    if status == 0 and not all(repeats.has_finished(command, seed) for seed in seeds):
        status = INTERRUPTED  # after the last epoch of one, before the others began
    if status == INTERRUPTED:
        print("the same command goes on with what is left")
    return status


def check(arguments: argparse.Namespace) -> None:
    """Refuse what cannot be repeated.

    Raises:
        InputError: seeds or options that make no sense.
    """
    seeds = arguments.seeds
    if not seeds or len(set(seeds)) != len(seeds):
        given = ",".join(map(str, seeds)) or "none"
        raise InputError(f"--seeds must be different numbers; received {given}")
    for seed in seeds:
        check_seed(seed)
    if arguments.jobs < 1:
        raise InputError(f"--jobs must be at least 1; received {arguments.jobs}")
    for option in arguments.options:
        if option.partition("=")[0] in OWN:
            raise InputError(f"{option} is set for each run; name --seeds and --run-dir first")
    if arguments.metric not in (None, *METRICS):
        known = ", ".join(METRICS)
        raise InputError(f"--metric must be one of {known}; received {arguments.metric!r}")


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


def finished_repeats(folder: Path):
    """What an earlier command left.

    Raises:
        InputError: no seed has finished there.
    """
    from tf_models.training.repeats import Repeats

    repeats = Repeats(folder)
    if not repeats.finished:
        raise InputError(f"no finished seed in {folder}; train there with this command first")
    return repeats


def show(shown: Mapping, arguments: argparse.Namespace) -> None:
    """Print mean and range of each metric, and draw one over the epochs."""
    from tf_models.training.repeats import metrics_of

    own = resolve(arguments.run_dir).name
    histories = {
        name: repeats.histories(arguments.seeds if name == own else repeats.finished)
        for name, repeats in shown.items()
    }
    metrics = {name: metrics_of(of_seeds) for name, of_seeds in histories.items()}
    print_table(histories, metrics)
    print_spikes(histories)
    if arguments.output:
        common = [name for name in METRICS if all(name in one for one in metrics.values())]
        metric = arguments.metric or (common or [None])[0]
        if metric not in common:
            raise InputError(f"not all runs have {metric or 'a metric in common'}")
        draw(histories, metric, arguments.output)


def print_table(histories: Mapping, metrics: Mapping[str, Sequence[str]]) -> None:
    """A row for each folder and metric, of the best epoch of each seed."""
    from tf_models.training.repeats import best_values

    width = max(len("best epoch"), *map(len, histories))
    names = "".join(f"{name:>10}" for name in ("mean", "lowest", "highest"))
    print(f"\n{'best epoch':{width}}  {'metric':12}{names}  seeds")
    for name, of_seeds in histories.items():
        for metric in metrics[name]:
            spread = best_values(of_seeds, metric)
            cells = "".join(f"{value:>10.4g}" for value in (spread.mean, *spread.range))
            seeds = " ".join(
                f"{seed}: {value:.4g}" for seed, value in zip(of_seeds, spread.values, strict=True)
            )
            print(f"{name:{width}}  {metric:12}{cells}  {seeds}")


def print_spikes(histories: Mapping) -> None:
    """A line for each run whose loss jumped."""
    for name, of_seeds in histories.items():
        for seed, history in of_seeds.items():
            if spikes := history.spikes():
                epochs = ", ".join(map(str, spikes))
                print(f"{name}, seed {seed}: the training loss jumped in epoch {epochs}")


def draw(histories: Mapping, metric: str, output: Path) -> None:
    """The mean over the epochs, in front of a band from the lowest to the highest seed."""
    from tf_models.plotting.files import save_figure
    from tf_models.plotting.lines import plot_lines
    from tf_models.training.repeats import course

    courses = {
        f"{name} ({len(of_seeds)} seeds)": course(of_seeds, metric)
        for name, of_seeds in histories.items()
    }
    name = "BLEU" if metric == "val_bleu" else metric.removeprefix("val_")
    figure = plot_lines(
        {label: (one.epochs, one.means) for label, one in courses.items()},
        ranges={label: (one.lowest, one.highest) for label, one in courses.items()},
        axis_names=("epoch", f"validation {name}"),
        title="mean and range over the seeds",
    )
    save_figure(figure, output)
    print(output)


if __name__ == "__main__":
    run(make_parser(), main)
