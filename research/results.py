"""A table of settings, measures and repetitions."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean

Values = Mapping[str, float | None]  # by column; None where there is nothing to measure


class Results(dict[str, dict[str, list[float | None]]]):
    """A row for each setting, a column for each measure, in them a value for each repetition."""

    def add(self, row: str, values: Values) -> None:
        """Add the values of one repetition."""
        for column, value in values.items():
            self.setdefault(row, {}).setdefault(column, []).append(value)

    @property
    def columns(self) -> list[str]:
        """All columns, in order."""
        return list(dict.fromkeys(column for of_row in self.values() for column in of_row))

    def measured(self, row: str, columns: Iterable[str] | None = None) -> list[list[float]]:
        """The values of a row, column by column, without those that could not be measured."""
        of_row = self[row]
        return [
            [value for value in of_row[column] if value is not None]
            for column in (of_row if columns is None else columns)
        ]

    def table(self, centre: Callable[[Sequence[float]], float] = fmean) -> list[str]:
        """The centre of all repetitions, with lowest and highest; the longer side goes down.

        All numbers of a measure have as many decimals.
        """
        rows, columns = list(self), self.columns
        decimals = {column: self._decimals(column) for column in columns}
        cells = [
            [_cell(self[row].get(column, []), centre, decimals[column]) for column in columns]
            for row in rows
        ]
        if len(columns) > len(rows):
            rows, columns = columns, rows
            cells = [list(of_column) for of_column in zip(*cells, strict=True)]
        first = max(map(len, rows))
        widths = [max(map(len, of_column)) + 2 for of_column in zip(columns, *cells, strict=True)]
        lines = []
        for name, of_row in zip(("", *rows), (columns, *cells), strict=True):
            aligned = (f"{cell:>{width}}" for cell, width in zip(of_row, widths, strict=True))
            lines.append(f"{name:{first}}" + "".join(aligned))
        return lines

    def _decimals(self, column: str) -> int:
        """Those with which the largest value of a column has four digits that say something."""
        of_column = [value for of_row in self.values() for value in of_row.get(column, ())]
        sizes = [abs(value) for value in of_column if value and math.isfinite(value)]
        return max(0, 3 - math.floor(math.log10(max(sizes, default=1))))


def _cell(
    values: Sequence[float | None], centre: Callable[[Sequence[float]], float], decimals: int
) -> str:
    known = [value for value in values if value is not None]
    if not known or len(known) < len(values):
        return "-"
    middle, lowest, highest = (
        f"{value:,.{decimals}f}" for value in (centre(known), min(known), max(known))
    )
    return middle if len(known) == 1 else f"{middle} [{lowest}, {highest}]"
