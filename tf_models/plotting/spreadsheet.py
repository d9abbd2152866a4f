"""One head of attention as a spreadsheet: every cell is a formula, and can be followed."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from openpyxl import Workbook
from openpyxl.utils import get_column_letter

Rows = list[list[str | float]]


def head_as_sheet(words: Sequence[str], q: np.ndarray, k: np.ndarray, v: np.ndarray) -> Rows:
    """Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V as the rows of a spreadsheet.

    The queries q and keys k (words, d_k) and the values v (words, d_v) are numbers; scores, weights
    and Z are formulas of them, a block for each step.
    """
    length, depth, width = len(words), q.shape[1], v.shape[1]
    rows: Rows = []

    def block(title: str, columns: Sequence, names: Sequence, cells: Sequence[Sequence]) -> int:
        """Add a block of cells with its names, and return the number of its first row."""
        rows.append([title, *columns])
        rows.extend([name, *row] for name, row in zip(names, cells, strict=True))
        rows.append([])
        return len(rows) - len(names)

    def square(title: str, formula: Callable[[int, int], str]) -> int:
        """Add a block with a formula for each pair of words."""
        cells = [[formula(i, j) for j in range(length)] for i in range(length)]
        return block(title, words, words, cells)

    queries = block("Q", range(1, depth + 1), words, q.tolist())
    keys = block("K", range(1, depth + 1), words, k.tolist())
    values = block("V transposed", words, range(1, width + 1), v.T.tolist())
    scores = square("Q K^T", lambda i, j: _product(queries + i, keys + j, depth))
    scaled = square(
        "divided by the root of d_k", lambda i, j: f"={_cell(scores + i, j)}/SQRT({depth})"
    )
    powers = square("e to the power of it", lambda i, j: f"=EXP({_cell(scaled + i, j)})")
    weights = square(
        "weights: divided by the sum of the row",
        lambda i, j: f"={_cell(powers + i, j)}/SUM({_row(powers + i, length)})",
    )
    z = [[_product(weights + i, values + j, length) for j in range(width)] for i in range(length)]
    block("Z: weights times V", range(1, width + 1), words, z)
    return rows


def save_sheet(rows: Rows, path: str | os.PathLike) -> Path:
    """Write rows of numbers, texts and formulas (beginning with `=`) as .xlsx; return the path."""
    book = Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)
    return Path(path)


def _cell(row: int, column: int) -> str:
    """A1 is the name of row 1; its numbers begin at B1, which is column 0."""
    return f"{get_column_letter(column + 2)}{row}"


def _row(row: int, count: int) -> str:
    return f"{_cell(row, 0)}:{_cell(row, count - 1)}"


def _product(row: int, other: int, count: int) -> str:
    return f"=SUMPRODUCT({_row(row, count)},{_row(other, count)})"
