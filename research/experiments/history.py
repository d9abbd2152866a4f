"""The curve of a training, read from history.csv."""

import csv
import math
from itertools import accumulate
from pathlib import Path


def read_history(run_dir: Path) -> dict[str, list[float]]:
    """The columns of a run, with a value for each epoch; nan where there is none."""
    with (run_dir / "history.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: [float(row[name] or math.nan) for row in rows] for name in rows[0]}


def minutes_to_bleu(run_dir: Path, goal: float) -> float | None:
    """Minutes until the validation BLEU of a run was this high; None if it never was."""
    columns = read_history(run_dir)
    measured = zip(accumulate(columns["seconds"]), columns["val_bleu"], strict=True)
    return next((seconds / 60 for seconds, bleu in measured if bleu >= goal), None)
