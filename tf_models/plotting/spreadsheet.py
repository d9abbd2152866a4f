"""One head of attention as a spreadsheet: every cell is a formula, and can be followed."""

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tf_models.errors import InputError
from tf_models.files import atomic_path
from tf_models.plotting.heat_map import checked

Rows = list[list[str | float]]


def head_as_sheet(words: Sequence[str], q: np.ndarray, k: np.ndarray, v: np.ndarray) -> Rows:
    """Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V as the rows of a spreadsheet.

    Q, K and V^T are numbers; scores, weights and Z are formulas of them, a block for each step.

    Args:
        words: of the sentence.
        q, k: its queries and keys, (words, d_k).
        v: its values, (words, d_v).

    Raises:
        ValueError: shapes that do not fit each other.
    """
    length, depth = len(words), np.shape(q)[-1]
    q, k = (checked(name, one, (length, depth)) for name, one in (("q", q), ("k", k)))
    v = checked("v", v, (length, np.shape(v)[-1]))
    rows: Rows = []

    def block(
        title: str, columns: Sequence[str], names: Sequence[str], cells: Sequence[Sequence]
    ) -> int:
        """Add a block of cells with its names, and return the number of its first row."""
        rows.append([title, *columns])
        first = len(rows) + 1
        rows.extend([name, *row] for name, row in zip(names, cells, strict=True))
        rows.append([])
        return first

    indices = range(length)
    numbers = [str(i) for i in range(1, depth + 1)]
    value_numbers = [str(i) for i in range(1, v.shape[1] + 1)]
    queries = block("Q", numbers, words, q.tolist())
    keys = block("K", numbers, words, k.tolist())
    values = block("V transposed", words, value_numbers, v.T.tolist())
    scores = [
        [f"=SUMPRODUCT({_row(queries + i, depth)},{_row(keys + j, depth)})" for j in indices]
        for i in indices
    ]
    above = block("Q K^T", words, words, scores)
    steps = {
        "divided by the root of d_k": f"={{cell}}/SQRT({depth})",
        "e to the power of it": "=EXP({cell})",
        "weights: divided by the sum of the row": "={cell}/SUM({row})",
    }
    for title, formula in steps.items():
        cells = [
            [formula.format(cell=_cell(above + i, j), row=_row(above + i, length)) for j in indices]
            for i in indices
        ]
        above = block(title, words, words, cells)
    z = [
        [
            f"=SUMPRODUCT({_row(above + i, length)},{_row(values + j, length)})"
            for j in range(v.shape[1])
        ]
        for i in indices
    ]
    block("Z: weights times V", value_numbers, words, z)
    return rows


def save_sheet(rows: Rows, path: str | os.PathLike) -> Path:
    """Write rows of numbers, texts and formulas (which begin with `=`) as .xlsx; return the path.

    Raises:
        InputError: another suffix.
    """
    path = Path(path)
    if path.suffix.lower() != ".xlsx":
        raise InputError(
            f"a spreadsheet is saved as .xlsx; received {path.suffix or 'no suffix'!r}"
        )
    from openpyxl import Workbook

    book = Workbook()
    for row in rows:
        book.active.append(row)
    with atomic_path(path) as temporary:
        book.save(temporary)
    return path


def _cell(row: int, column: int) -> str:
    """A1 is the name of row 1; its numbers begin at B1, which is column 0."""
    letters, rest = "", column + 2
    while rest:
        rest, letter = divmod(rest - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row}"


def _row(row: int, count: int) -> str:
    return f"{_cell(row, 0)}:{_cell(row, count - 1)}"
