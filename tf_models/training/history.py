"""history.csv: one row an epoch."""

import csv
import io
import math
from pathlib import Path

from tf_models.errors import InputError
from tf_models.files import write_text


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
        """Append a row and save; what only other rows have is not a number in this one."""
        self.rows.append(row)
        text = io.StringIO()
        options = {"restval": math.nan, "lineterminator": "\n"}
        writer = csv.DictWriter(text, fieldnames=self._names(), **options)
        writer.writeheader()
        writer.writerows(self.rows)
        write_text(self._path, text.getvalue())

    def columns(self) -> dict[str, list[float]]:
        """The rows as columns, by name."""
        return {name: self._column(name) for name in self._names()}

    def _names(self) -> list[str]:
        return list(dict.fromkeys(name for row in self.rows for name in row))

    def _column(self, name: str) -> list[float]:
        return [row.get(name, math.nan) for row in self.rows]

    def since_best(self, name: str, highest: bool = False) -> int:
        """Rows since the lowest (or highest) value of column `name`; 0 if it is the last one's, or
        if no row has one."""
        values = [-value if highest else value for value in self._column(name)]
        ranks = [math.inf if math.isnan(value) else value for value in values]
        return ranks[::-1].index(min(ranks))


def _read(path: Path) -> list[dict[str, float]]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            if "epoch" not in (reader.fieldnames or ()):
                raise ValueError("no column epoch")
            rows = [{key: float(value) for key, value in row.items()} for row in reader]
        return [{**row, "epoch": int(row["epoch"])} for row in rows]
    except (OSError, ValueError, TypeError, csv.Error) as error:
        raise InputError(
            f"{path} is damaged ({error}); move it away to go on without it"
        ) from error
