"""history.csv: one row an epoch."""

import csv
import io
import math
from collections.abc import Iterable
from pathlib import Path

from tf_models.errors import InputError
from tf_models.files import check_is_file, write_text


class History:
    """What training and validation came to, epoch by epoch.

    A checkpoint holds the same text as the file, so the file can be written again from it.

    Args:
        path: of history.csv.
        text: what a checkpoint holds; if left out, the file is read, and may be missing.

    Raises:
        InputError: the file is damaged.
    """

    def __init__(self, path: Path, text: str | None = None):
        self._path = path
        self.rows: list[dict[str, float]] = []
        if text:
            self.rows = _parse(io.StringIO(text))
        elif text is None and path.exists():
            self.rows = _read(path)

    @property
    def text(self) -> str:
        """The rows as history.csv has them; what only other rows have is not a number."""
        text = io.StringIO()
        options = {"restval": math.nan, "lineterminator": "\n"}
        writer = csv.DictWriter(text, fieldnames=self._names(), **options)
        writer.writeheader()
        writer.writerows(self.rows)
        return text.getvalue()

    def save(self) -> None:
        """Write history.csv."""
        write_text(self._path, self.text)

    def columns(self) -> dict[str, list[float]]:
        """The rows as columns, by name."""
        return {name: self._column(name) for name in self._names()}

    def _names(self) -> list[str]:
        return list(dict.fromkeys(name for row in self.rows for name in row))

    def _column(self, name: str) -> list[float]:
        return [row.get(name, math.nan) for row in self.rows]

    def since_best(self, name: str, highest: bool = False) -> int:
        """Rows since the lowest (or highest) value of column `name`, the first of equal ones; 0 if
        it is the last one's, or if no row has one."""
        values = [-value if highest else value for value in self._column(name)]
        ranks = [math.inf if math.isnan(value) else value for value in values]
        best = min(ranks)
        return 0 if best == math.inf else len(ranks) - 1 - ranks.index(best)


def _read(path: Path) -> list[dict[str, float]]:
    try:
        check_is_file(path)
        with path.open(encoding="utf-8", newline="") as file:
            return _parse(file)
    except (OSError, ValueError, OverflowError, TypeError, csv.Error) as error:
        raise InputError(
            f"{path} is damaged ({error}); remove it, and the training command writes it again"
        ) from error


def _parse(lines: Iterable[str]) -> list[dict[str, float]]:
    reader = csv.DictReader(lines)
    if "epoch" not in (reader.fieldnames or ()):
        raise ValueError("no column epoch")
    rows = [{key: float(value) for key, value in row.items()} for row in reader]
    if any(math.isinf(value) for row in rows for value in row.values()):
        raise ValueError("a number out of range")
    return [{**row, "epoch": int(row["epoch"])} for row in rows]
