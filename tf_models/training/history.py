"""history.csv: one row an epoch."""

import csv
import io
import math
from pathlib import Path

from tf_models.atomic import write_text
from tf_models.errors import InputError


class History:
    """The rows of history.csv, rewritten whole after each epoch.

    Args:
        path: the file; rows already there are read.
        epochs: rows of later epochs are forgotten, because training goes on after this many.
    """

    def __init__(self, path: Path, epochs: float = math.inf):
        self._path = path
        self.rows: list[dict[str, float]] = []
        if path.exists():
            self.rows = [row for row in _read(path) if row["epoch"] <= epochs]

    def add(self, row: dict[str, float]) -> None:
        """Append a row and save."""
        self.rows.append(row)
        text = io.StringIO()
        writer = csv.DictWriter(text, fieldnames=list(row), lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        write_text(self._path, text.getvalue())

    def columns(self) -> dict[str, list[float]]:
        """The rows as columns, by name."""
        return {key: [row[key] for row in self.rows] for key in (self.rows[0] if self.rows else ())}

    def since_best(self, name: str, highest: bool = False) -> int:
        """Rows since the lowest (or highest) value of column `name`; 0 if it is the last one's."""
        values = [-row[name] if highest else row[name] for row in self.rows]
        return values[::-1].index(min(values))


def _read(path: Path) -> list[dict[str, float]]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = [
                {key: float(value) for key, value in row.items()} for row in csv.DictReader(file)
            ]
        return [{**row, "epoch": int(row["epoch"])} for row in rows]
    except (OSError, ValueError, KeyError, TypeError, csv.Error) as error:
        raise InputError(
            f"{path} is damaged ({error}); move it away to go on without it"
        ) from error
