"""What the page shows without JavaScript: one map and its numbers."""

from collections.abc import Sequence
from html import escape

import numpy as np

from tf_models.plotting.lettering import printable

CELL = 26  # pixels
LABEL = 110


def static_map(weights: np.ndarray, rows: Sequence[str], columns: Sequence[str]) -> str:
    """An SVG map and a table of weights (rows, columns), as HTML."""
    rows, columns = ([escape(printable(label)) for label in side] for side in (rows, columns))
    return _svg(weights, rows, columns) + _table(weights, rows, columns)


def _svg(weights: np.ndarray, rows: Sequence[str], columns: Sequence[str]) -> str:
    width, height = LABEL + CELL * len(columns), LABEL + CELL * len(rows)
    cells = "".join(
        f'<rect x="{LABEL + CELL * j}" y="{LABEL + CELL * i}" width="{CELL}" height="{CELL}" '
        f'fill="#08519c" fill-opacity="{weight:.3f}" stroke="#8899aa" stroke-width="0.5"/>'
        for i, row in enumerate(weights)
        for j, weight in enumerate(row)
    )
    middle = CELL * 0.65
    beside = "".join(
        f'<text x="{LABEL - 6}" y="{LABEL + CELL * i + middle}" text-anchor="end">{label}</text>'
        for i, label in enumerate(rows)
    )
    above = "".join(
        f'<text transform="translate({LABEL + CELL * j + middle} {LABEL - 6}) rotate(-60)">'
        f"{label}</text>"
        for j, label in enumerate(columns)
    )
    return (
        f'<svg class="static" role="img" viewBox="0 0 {width + LABEL} {height}" '
        f'width="{width + LABEL}" height="{height}" font-size="12" fill="currentColor">'
        "<title>What each written piece attends to</title>"
        "<desc>writes (rows), attends to (columns); the table below has the numbers</desc>"
        f"{cells}{beside}{above}</svg>"
    )


def _table(weights: np.ndarray, rows: Sequence[str], columns: Sequence[str]) -> str:
    head = "".join(f'<th scope="col">{label}</th>' for label in columns)
    body = "".join(
        f'<tr><th scope="row">{label}</th>'
        + "".join(f"<td>{weight:.2f}</td>" for weight in row)
        + "</tr>"
        for label, row in zip(rows, weights, strict=True)
    )
    return (
        '<table class="static"><caption>writes (rows), attends to (columns)</caption>'
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>"
    )
