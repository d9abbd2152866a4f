"""Runs side by side: what each had reached after so many minutes."""

import math
from itertools import accumulate, compress
from pathlib import Path
from typing import NamedTuple

from tf_models.errors import InputError
from tf_models.training.history import History
from tf_models.training.run_directory import RunDirectory

# Columns of history.csv to compare by, and which value is the best.
METRICS = {"val_bleu": max, "val_accuracy": max, "val_loss": min}


class Frontier(NamedTuple):
    """minutes: at the end of each epoch. values: the best until then."""

    minutes: list[float]
    values: list[float]

    def at(self, minutes: float) -> float | None:
        """The last value within so many minutes; None before the first epoch.

        None, too, after the last, rounded up to whole minutes.
        """
        within = [v for end, v in zip(self.minutes, self.values, strict=True) if end <= minutes]
        return within[-1] if within and minutes <= math.ceil(self.minutes[-1]) else None


def best_so_far(run_dir: Path, metric: str) -> Frontier:
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
    return Frontier(list(compress(minutes, measured)), list(accumulate(values, METRICS[metric])))
