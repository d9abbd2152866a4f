"""Runs what is missing of an experiment, goes on with what is unfinished, and measures it all."""

import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from research.experiments.processes import run_processes
from research.experiments.recipe import Recipe, Results, Run
from tf_models.command_line import INTERRUPTED
from tf_models.errors import InputError
from tf_models.files import write_text
from tf_models.training.run_directory import RunDirectory

ONLY_RUN = "--only-run"  # what a process of a single training is started with
NOT_OF_A_RUN = ("recipe", "run_dir", "seeds", "jobs", "output", "only_run")


def folder_name(label: str) -> str:
    """A label as part of a folder's name."""
    return "".join(char if char.isalnum() else "-" for char in label).strip("-")


def runs_of(recipe: Recipe, arguments: Namespace) -> dict[str, Run]:
    """All runs by the names of their folders; all settings have a first seed early."""
    folder = recipe.folder(arguments) if recipe.trains else Path()
    runs = [(label, seed) for seed in arguments.seeds for label in recipe.labels(arguments)]
    names = {f"{folder_name(label)}-{seed}": (label, seed) for label, seed in runs}
    return {name: Run(*run, folder / name) for name, run in names.items()}


class Finished:
    """Which runs have come to their end, and with which options: a file for each.

    Args:
        folder: of the runs.
        arguments: of the command; those that are not of a single run do not count.
    """

    def __init__(self, folder: Path, arguments: Namespace):
        self._folder = folder / "finished"
        options = {k: v for k, v in vars(arguments).items() if k not in NOT_OF_A_RUN}
        self._options = json.dumps(options, default=str, indent=2) + "\n"

    def has(self, run: Run) -> bool:
        """Whether the run has come to its end, with these options, and is still there."""
        file = self._folder / f"{run.path.name}.json"
        return run.path.is_dir() and file.is_file() and file.read_text("utf-8") == self._options

    def note(self, run: Run) -> None:
        """The run has come to its end."""
        self._folder.mkdir(parents=True, exist_ok=True)
        write_text(self._folder / f"{run.path.name}.json", self._options)


def train_all(recipe: Recipe, arguments: Namespace, words: Sequence[str]) -> int:
    """Train what has not come to its end; return the exit status.

    Args:
        recipe: which trainings there are.
        arguments: of the command line.
        words: the command line itself, for processes of single trainings.

    Raises:
        InputError: the folder is a run directory, or a signal killed a training.
    """
    folder = recipe.folder(arguments)
    if RunDirectory(folder).config_file.exists():
        raise InputError(f"{folder} holds a run itself; name another folder for the runs")
    runs, finished = runs_of(recipe, arguments), Finished(folder, arguments)
    left = {name: run for name, run in runs.items() if not finished.has(run)}
    for name in runs.keys() - left.keys():
        print(f"{runs[name].path}: finished before")
    places = {name: f"{i} of {len(runs)}" for i, name in enumerate(runs, start=1)}
    logs = folder / "logs"

    def begin(name: str) -> None:
        run = runs[name]
        log = f", log in {logs / name}.log" if jobs > 1 else ""
        print(f"\n{run.label}, seed {run.seed} ({places[name]}): {run.path}{log}", flush=True)

    if left:
        recipe.prepare(arguments)
    jobs = min(arguments.jobs, len(runs))  # so that each goes on with as many cores as before
    commands = {name: _command(recipe, arguments, run, words) for name, run in left.items()}
    statuses = {}
    for name, status in run_processes(commands, jobs, logs, begin):
        statuses[name] = status
        if status == 0:
            finished.note(runs[name])
        elif jobs > 1:
            print(_last_line(logs / f"{name}.log"), file=sys.stderr)
    return _exit_status(statuses, runs, finished)


def _command(recipe: Recipe, arguments: Namespace, run: Run, words: Sequence[str]) -> list[str]:
    own = recipe.command(arguments, run)
    if own is not None:
        return own
    here = [sys.executable, "-m", "research.experiments"]
    return [*here, *words, ONLY_RUN, run.label, str(run.seed)]


def _last_line(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    return lines[-1] if lines else f"{log} is empty"


def _exit_status(statuses: dict[str, int], runs: dict[str, Run], finished: Finished) -> int:
    failures = {name: status for name, status in statuses.items() if status}
    for name, status in failures.items():
        if status < 0:
            raise InputError(f"signal {-status} ended {name}; the same command goes on")
    status = next(iter(failures.values()), 0)
    if status == 0 and not all(map(finished.has, runs.values())):
        status = INTERRUPTED  # after the last epoch of one, before the others began
    if status == INTERRUPTED:
        print("the same command goes on with what is left")
    return status


def show(recipe: Recipe, arguments: Namespace) -> Results:
    """Measure all runs, print the table and draw the figures."""
    from tf_models.plotting.files import save_figure

    runs = list(runs_of(recipe, arguments).values())
    results = recipe.measure(arguments, runs)
    print(f"\n{recipe.question}")
    for line in results.table():
        print(line)
    if len(arguments.seeds) > 1 and len(results.columns) == 1:
        print()
        for line in results.seed_lines(results.columns[0]):
            print(line)
    if not (arguments.output or recipe.trains):
        return results
    figures = recipe.figures(arguments, results, runs)
    if recipe.trains:
        for name, figure in figures.items():
            print(save_figure(figure, recipe.folder(arguments) / "figures" / f"{name}.png"))
    if arguments.output and figures:
        print(save_figure(next(iter(figures.values())), arguments.output))
    return results
