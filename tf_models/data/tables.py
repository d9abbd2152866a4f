"""Tables that people have: cells between tabs, or CSV; a header; numbers.

Tatoeba, manythings.org, pandas, spreadsheets and Kaggle each write the same sentences in another
way. The names in the first line, or else what the columns hold, tell which columns count.
"""

import contextlib
import csv
import re
from collections.abc import Callable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from tf_models.data.text_files import plain_name, stream_lines
from tf_models.errors import InputError

SHOWN_CHARACTERS = 40  # an error quotes so many of a row that cannot be used
QUOTED = re.compile(r'"[^"]*(""[^"]*)+"')
NUMBER = re.compile(r"[-+]?\d+([.,]\d+)?")
DELIMITERS = "\t;,"  # tried in this order, since a sentence has commas of its own
SAMPLE = 20  # number of lines by which the delimiter is chosen


class Row(NamedTuple):
    """Stripped cells of a row, and the number of its (last) line."""

    line: int
    cells: list[str]

    def error(self, path: Path, expected: str) -> InputError:
        """An InputError about this row."""
        shown = "\t".join(self.cells)[:SHOWN_CHARACTERS]
        return InputError(
            f"{path}, line {self.line}: expected {expected}, found {len(self.cells)}: {shown!r}"
        )


class Table(NamedTuple):
    """Rows of a table, and the names of its columns in a header.

    header: names in lower case, or none.
    numbers: indices of the columns that hold numbers (an index, ids, scores), or nothing at all.
    """

    header: list[str]
    rows: list[Row]
    numbers: set[int]

    def others(self, columns: int) -> list[int]:
        """Indices of the first `columns` that hold more than numbers."""
        return [i for i in range(columns) if i not in self.numbers]


def read_table(path: Path, is_name: Callable[[str], bool]) -> Table:
    """Read a table; a header that stands again further down is left out, too.

    The first line is a header if `is_name` is true of two of its cells, in lower case, or if no
    number stands above a column of numbers. Raises InputError: the file is unreadable or empty.
    """
    rows = list(stream_rows(path))
    if not rows:
        raise InputError(f"{path} is empty")
    first = rows[0].cells
    below = [row for row in rows[1:] if row.cells != first]
    names = [cell.casefold() for cell in first]
    numbers = _numbers(below)
    # A cell that stands in the second row, too, is no name: a language code, for example.
    second = [cell.casefold() for row in below[:1] for cell in row.cells]
    is_named = sum(is_name(name) and name not in second for name in names) >= 2
    stands_above_number = (_is_number(below[0], i) and not _is_number(rows[0], i) for i in numbers)
    if below and (is_named or any(stands_above_number)):
        return Table(names, below, numbers)
    return Table([], rows, _numbers(rows))


def stream_rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a file but blank ones; a .csv may have quoted cells."""
    lines = stream_lines(path)
    if plain_name(path).lower().endswith(".csv"):
        sample = [f"{line}\n" for line in islice(lines, SAMPLE)]
        rest = (f"{line}\n" for line in lines)
        rows = _quoted_rows(path, chain(sample, rest), _delimiter(sample))
    else:
        rows = _plain_rows(lines)
    for line, cells in rows:
        stripped = [cell.strip() for cell in cells]
        if any(stripped):
            yield Row(line, stripped)


def _delimiter(sample: list[str]) -> str:
    """The mark that cuts all rows into as many cells, two or more."""
    for mark in DELIMITERS:
        with contextlib.suppress(csv.Error):
            rows = csv.reader(sample, delimiter=mark, strict=True)
            widths = {len(cells) for cells in rows if cells}
            if len(widths) == 1 and max(widths) > 1:
                return mark
    return max(DELIMITERS, key="".join(sample[:1]).count)  # a cell of several lines is cut off


def _plain_rows(lines: Iterator[str]) -> Iterator[Row]:
    """Rows of cells between tabs; doubled quotes mark a quoted cell."""
    for number, line in enumerate(lines, start=1):
        yield Row(number, [_unquoted(cell) for cell in line.split("\t")])


def _unquoted(cell: str) -> str:
    return cell[1:-1].replace('""', '"') if QUOTED.fullmatch(cell) else cell


def _quoted_rows(path: Path, lines: Iterator[str], delimiter: str) -> Iterator[Row]:
    reader = csv.reader(lines, delimiter=delimiter)
    try:
        for cells in reader:
            yield Row(reader.line_num, [" ".join(cell.splitlines()) for cell in cells])
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: {error}; is a quote missing?") from error


def _numbers(rows: list[Row]) -> set[int]:
    """Columns that hold a number or nothing in every row."""
    columns = range(max((len(row.cells) for row in rows), default=0))
    return {i for i in columns if all(_is_number(row, i) or _is_empty(row, i) for row in rows)}


def _is_number(row: Row, column: int) -> bool:
    return not _is_empty(row, column) and bool(NUMBER.fullmatch(row.cells[column]))


def _is_empty(row: Row, column: int) -> bool:
    return not any(row.cells[column : column + 1])
