"""One head of attention as a spreadsheet: every cell is a formula, and can be followed."""

import os
import zipfile
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np

from tf_models.errors import InputError
from tf_models.files import atomic_path
from tf_models.plotting.heat_map import checked

Rows = list[list[str | float]]
# What a spreadsheet consists of (ECMA-376), but for the cells.
_NAMESPACE = 'xmlns="http://schemas.openxmlformats.org/{}"'
_OFFICE = "officeDocument/2006/relationships"
_PARTS = {
    "[Content_Types].xml": f"<Types {_NAMESPACE.format('package/2006/content-types')}>"
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/xl/workbook.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
    '<Override PartName="/xl/worksheets/sheet1.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
    "_rels/.rels": f"<Relationships {_NAMESPACE.format('package/2006/relationships')}>"
    f'<Relationship Id="r1" Type="http://schemas.openxmlformats.org/{_OFFICE}/officeDocument" '
    'Target="xl/workbook.xml"/></Relationships>',
    "xl/_rels/workbook.xml.rels": f"<Relationships "
    f"{_NAMESPACE.format('package/2006/relationships')}>"
    f'<Relationship Id="r1" Type="http://schemas.openxmlformats.org/{_OFFICE}/worksheet" '
    'Target="worksheets/sheet1.xml"/></Relationships>',
    "xl/workbook.xml": f"<workbook {_NAMESPACE.format('spreadsheetml/2006/main')} "
    f'xmlns:r="http://schemas.openxmlformats.org/{_OFFICE}">'
    '<sheets><sheet name="one head" sheetId="1" r:id="r1"/></sheets></workbook>',
}


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

    def block(title: str, columns: Sequence[str], names: Sequence[str], cells: Rows) -> int:
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
    cells = "".join(
        f'<row r="{number}">{"".join(_xml(number, i, cell) for i, cell in enumerate(row))}</row>'
        for number, row in enumerate(rows, start=1)
    )
    sheet = f"<sheetData>{cells}</sheetData>"
    namespace = _NAMESPACE.format("spreadsheetml/2006/main")
    parts = {**_PARTS, "xl/worksheets/sheet1.xml": f"<worksheet {namespace}>{sheet}</worksheet>"}
    with atomic_path(path) as temporary, zipfile.ZipFile(temporary, "w") as file:
        for name, part in parts.items():
            file.writestr(name, f'<?xml version="1.0" encoding="UTF-8"?>\n{part}')
    return path


def _xml(row: int, column: int, cell: str | float) -> str:
    place = _cell(row, column - 1)
    if not isinstance(cell, str):
        return f'<c r="{place}"><v>{cell!r}</v></c>'
    if cell.startswith("="):
        return f'<c r="{place}"><f>{escape(cell[1:])}</f></c>'
    return f'<c r="{place}" t="inlineStr"><is><t>{escape(cell)}</t></is></c>'


def _cell(row: int, column: int) -> str:
    """A1 is the name of row 1; its numbers begin at B1, which is column 0."""
    letters, rest = "", column + 2
    while rest:
        rest, letter = divmod(rest - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row}"


def _row(row: int, count: int) -> str:
    return f"{_cell(row, 0)}:{_cell(row, count - 1)}"
