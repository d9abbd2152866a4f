"""The curve of a training, read from history.csv."""

import csv
import math
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

# Columns to compare by, and which value is the best.
METRICS = {"val_bleu": max, "val_accuracy": max, "val_loss": min}


def read_history(run_dir: Path) -> dict[str, list[float]]:
    """The columns of a run, with a value for each epoch; nan where there is none."""
    with (run_dir / "history.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: [float(row[name] or math.nan) for row in rows] for name in rows[0]}


class BestSoFar(NamedTuple):
    """minutes: at the end of each measured epoch. values: the best until then."""

    minutes: list[float]
    values: list[float]

    def minutes_to(self, value: float) -> float | None:
        """Minutes until a value was reached, of a metric whose highest value is the best."""
        reached = zip(self.minutes, self.values, strict=True)
        return next((minutes for minutes, best in reached if best >= value), None)


def best_so_far(run_dir: Path, metric: str) -> BestSoFar:
    """The best value of one of `METRICS` that a run had reached by each epoch."""
    columns = read_history(run_dir)
    ends = accumulate(columns["seconds"])
    measured = [
        (seconds / 60, value)
        for seconds, value in zip(ends, columns[metric], strict=True)
        if not math.isnan(value)
    ]
    minutes, values = [one for one, _ in measured], [value for _, value in measured]
    return BestSoFar(minutes, list(accumulate(values, METRICS[metric])))
