"""Progress of what takes long, on standard error: a bar, or in a file a line now and then."""

import sys
from collections.abc import Callable, Iterable
from typing import Any

from tqdm import tqdm

LINE_SECONDS = 30.0  # between two lines in a file
LINE = "{desc}: {n_fmt}/{total_fmt}, {elapsed} gone, {remaining} left{postfix}"


class Progress(tqdm):
    """A bar of tqdm that goes when all is done; where no terminal is, whole lines in its place.

    Args:
        shown: whether to show anything.
        figures: what else to say, asked whenever something is shown.
        options: those of tqdm.
    """

    def __init__(
        self,
        *iterable: Iterable,
        shown: bool = True,
        figures: Callable[[], str] | None = None,
        **options: Any,
    ) -> None:
        self._figures, self._in_file = figures, not sys.stderr.isatty()
        interval: dict[str, Any] = {"mininterval": 0.5}
        if self._in_file:
            interval = {"mininterval": LINE_SECONDS, "delay": LINE_SECONDS, "bar_format": LINE}
        options = {"leave": False, "miniters": 1, "disable": not shown, **interval, **options}
        super().__init__(*iterable, **options)

    def display(self, msg: str | None = None, pos: int | None = None) -> bool | None:
        """Draw the bar, or write the line; an empty message clears a bar. Returns what tqdm's own
        does: whether anything is drawn.
        """
        if msg is None and self._figures:
            self.set_postfix_str(self._figures(), refresh=False)
        if not self._in_file:
            return super().display(msg, pos)
        if msg is None:
            self.fp.write(f"{self}\n")
            self.fp.flush()
        return None

    def close(self) -> None:
        """Clear the bar; lines stay."""
        if self._in_file:
            self.last_print_t = 0  # nothing is drawn that would have to be cleared
        super().close()
