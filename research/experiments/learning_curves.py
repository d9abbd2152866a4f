"""What runs reach by epoch and by minute, read from history.csv."""

import math
from collections.abc import Mapping
from itertools import accumulate, compress
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from tf_models.errors import InputError
from tf_models.training.run_directory import History, RunDirectory

# Columns of history.csv to compare by, and which value is the best.
METRICS = {"val_bleu": max, "val_accuracy": max, "val_loss": min}


def axis_name(metric: str) -> str:
    """A metric as an axis calls it."""
    return (
        "validation BLEU" if metric == "val_bleu" else f"validation {metric.removeprefix('val_')}"
    )


class BestSoFar(NamedTuple):
    """minutes: at the end of each epoch. values: the best until then."""

    minutes: list[float]
    values: list[float]

    def at(self, minutes: float) -> float | None:
        """The last value within so many minutes; None before the first epoch.

        None, too, after the last, rounded up to whole minutes.
        """
        within = [v for end, v in zip(self.minutes, self.values, strict=True) if end <= minutes]
        return within[-1] if within and minutes <= math.ceil(self.minutes[-1]) else None

    def minutes_to(self, value: float) -> float | None:
        """Minutes until a value was reached; None if it never was. The highest is the best."""
        reached = zip(self.minutes, self.values, strict=True)
        return next((minutes for minutes, best in reached if best >= value), None)


def best_so_far(run_dir: Path, metric: str) -> BestSoFar:
    """What a run had reached by each epoch.

    Args:
        run_dir: of any kind of run.
        metric: one of `METRICS`.

    Raises:
        InputError: no run directory, or its history has no such column.
    """
    run = RunDirectory(run_dir)
    run.read_kind()  # refuses what is no run directory
    columns = History(run.history_file).columns()
    if not {metric, "seconds"} <= columns.keys():
        known = ", ".join(name for name in METRICS if name in columns) or "no finished epoch"
        missing = metric if metric not in columns else "seconds"
        raise InputError(f"the history of {run_dir} has no {missing}; it has {known}")
    minutes = [seconds / 60 for seconds in accumulate(columns["seconds"])]
    measured = [not math.isnan(value) for value in columns[metric]]  # BLEU, perhaps from later on
    values = compress(columns[metric], measured)
    return BestSoFar(list(compress(minutes, measured)), list(accumulate(values, METRICS[metric])))


class LearningCurve(NamedTuple):
    """A metric over the epochs that all seeds have: mean, lowest and highest of each."""

    epochs: list[int]
    means: list[float]
    lowest: list[float]
    highest: list[float]


def learning_curve(histories: Mapping[int, History], metric: str) -> LearningCurve:
    """A metric of several seeds over the epochs; epochs that one seed lacks are left out."""
    columns = [history.columns()[metric] for history in histories.values()]
    rows = [
        (epoch, values)
        for epoch, values in enumerate(zip(*columns, strict=False), start=1)
        if not any(map(math.isnan, values))
    ]
    epochs, values = [epoch for epoch, _ in rows], [values for _, values in rows]
    return LearningCurve(epochs, *([of(row) for row in values] for of in (fmean, min, max)))


def best_values(history: History) -> dict[str, float]:
    """The best value of each of `METRICS` that a run has, each in its own epoch."""
    columns = history.columns()
    known = {name: [v for v in columns.get(name, ()) if not math.isnan(v)] for name in METRICS}
    return {name: METRICS[name](values) for name, values in known.items() if values}
