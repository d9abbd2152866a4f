"""One training with several seeds: what the settings are worth, and what is chance."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from tf_models.errors import InputError
from tf_models.files import write_text
from tf_models.training.history import History
from tf_models.training.run_comparison import METRICS
from tf_models.training.run_directory import check_folder_of_runs
from tf_models.training.side_by_side import run_side_by_side

FILE = "repeats.json"  # which command has come to its end, by seed


class Repeats:
    """A folder with a run directory for each seed.

    Args:
        folder: made when the first training begins.

    Raises:
        InputError: it is a run directory itself, or its list of finished seeds is damaged.
    """

    def __init__(self, folder: Path):
        check_folder_of_runs(folder)
        self.folder, self._file = folder, folder / FILE
        self._finished = self._read()

    def run_dir(self, seed: int) -> Path:
        """Where the training with this seed is."""
        return self.folder / f"seed-{seed}"

    @property
    def finished(self) -> list[int]:
        """The seeds whose training has come to its end, and is still there."""
        return sorted(seed for seed in self._finished if self._history(seed).exists())

    def has_finished(self, command: Sequence[str], seed: int) -> bool:
        """Whether this very command has come to its end with this seed."""
        return seed in self.finished and self._finished[seed] == _noted(command)

    def train(
        self,
        command: Sequence[str],
        seeds: Sequence[int],
        jobs: int = 1,
        begin: Callable[[int], None] = lambda seed: None,
    ) -> int:
        """Run a training command with each seed, or go on with it; return the exit status.

        It is that of the first training that fails, after which no other begins.

        Args:
            command: Python, a script and its options, --seed and --run-dir apart.
            seeds: of the runs.
            jobs: how many of them train at a time (see `run_side_by_side`).
            begin: called with a seed before its training starts.

        Raises:
            InputError: a signal killed one.
        """
        labels = {f"seed {seed}": seed for seed in seeds}
        commands = {
            label: (*command, "--seed", str(seed), "--run-dir", str(self.run_dir(seed)))
            for label, seed in labels.items()
        }
        failures = []
        for label, status in run_side_by_side(commands, jobs, lambda label: begin(labels[label])):
            if status == 0:
                self._note(command, labels[label])
            else:
                failures.append((label, status))
        for label, status in failures:
            if status < 0:
                raise InputError(
                    f"signal {-status} ended the training with {label}; the same command goes on"
                )
        return failures[0][1] if failures else 0

    def _note(self, command: Sequence[str], seed: int) -> None:
        # Another command may have noted its own seeds meanwhile.
        self._finished = {**self._read(), seed: _noted(command)}
        finished = {str(one): self._finished[one] for one in self.finished}
        write_text(self._file, json.dumps({"finished": finished}, indent=2) + "\n")

    def histories(self, seeds: Sequence[int]) -> dict[int, History]:
        """history.csv of these seeds."""
        return {seed: History(self._history(seed)) for seed in seeds}

    def _history(self, seed: int) -> Path:
        return self.run_dir(seed) / "history.csv"

    def _read(self) -> dict[int, list[str]]:
        if not self._file.exists():
            return {}
        try:
            finished = json.loads(self._file.read_text(encoding="utf-8"))["finished"]
            return {int(seed): list(command) for seed, command in finished.items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise InputError(
                f"{self._file} is damaged; remove it, and finished seeds are looked at again"
            ) from error


class Spread(NamedTuple):
    """What one metric came to: the value of each seed, in order."""

    values: list[float]

    @property
    def mean(self) -> float:
        """Over the seeds."""
        return mean(self.values)

    @property
    def range(self) -> tuple[float, float]:
        """The lowest and the highest."""
        return min(self.values), max(self.values)


class Course(NamedTuple):
    """A metric over the epochs that all seeds have: mean, lowest and highest of each."""

    epochs: list[int]
    means: list[float]
    lowest: list[float]
    highest: list[float]


def metrics_of(histories: Mapping[int, History]) -> list[str]:
    """The metrics of `METRICS` that all seeds have.

    Raises:
        InputError: there is none.
    """
    columns = [history.columns() for history in histories.values()]
    found = [
        name
        for name in METRICS
        if all(any(not math.isnan(value) for value in one.get(name, ())) for one in columns)
    ]
    if not columns or not found:
        raise InputError("there is no epoch yet that all seeds have finished")
    return found


def best_values(histories: Mapping[int, History], metric: str) -> Spread:
    """Of each seed the best value; another metric may have its best in another epoch."""
    best = METRICS[metric]
    columns = (history.columns()[metric] for history in histories.values())
    return Spread([best(value for value in one if not math.isnan(value)) for one in columns])


def course(histories: Mapping[int, History], metric: str) -> Course:
    """A metric over the epochs; epochs that one seed lacks are left out."""
    columns = [history.columns()[metric] for history in histories.values()]
    rows = [
        (epoch, values)
        for epoch, values in enumerate(zip(*columns, strict=False), start=1)
        if not any(map(math.isnan, values))
    ]
    epochs, values = [epoch for epoch, _ in rows], [values for _, values in rows]
    return Course(epochs, *([of_epoch(row) for row in values] for of_epoch in (mean, min, max)))


def _noted(command: Sequence[str]) -> list[str]:
    """The script by its name, and its options: what is finished stays so when the project moves."""
    _, script, *options = command
    return [Path(script).name, *options]
