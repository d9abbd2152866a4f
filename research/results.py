"""A table of settings, measures and repetitions."""

from collections.abc import Callable, Mapping, Sequence
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

    def table(self, centre: Callable[[Sequence[float]], float] = fmean) -> list[str]:
        """The centre of all repetitions, with lowest and highest; the longer side goes down."""
        rows, columns = list(self), self.columns
        cells = [[_cell(self[row].get(column, []), centre) for column in columns] for row in rows]
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


def _cell(values: Sequence[float | None], centre: Callable) -> str:
    if not values or None in values:
        return "-"
    middle = _number(centre(values))
    return (
        middle if len(values) == 1 else f"{middle} [{_number(min(values))}, {_number(max(values))}]"
    )


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
