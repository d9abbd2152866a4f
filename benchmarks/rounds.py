"""Rounds: every rival is measured once in each, so that what slows the machine slows all alike."""

import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

Figure = TypeVar("Figure")


@dataclass(frozen=True)
class Summary:
    """What several rounds say of one figure: its median, and the lowest and highest of them."""

    median: float
    lowest: float
    highest: float

    @classmethod
    def of(cls, figures: Iterable[float]) -> "Summary":
        """Summarise one figure a round; there must be at least one."""
        figures = sorted(figures)
        return cls(statistics.median(figures), figures[0], figures[-1])


def turns(names: Sequence[str], rounds: int) -> Iterator[tuple[int, str]]:
    """Yield (round, name): each name once a round, and another one first in each round."""
    for number in range(rounds):
        first = number % len(names)
        for name in (*names[first:], *names[:first]):
            yield number, name


def play(
    rivals: dict[str, Callable[[], Figure]],
    rounds: int,
    watch: Callable[[Iterator], Iterator] = iter,
) -> dict[str, list[Figure]]:
    """Measure all rivals, round by round.

    Args:
        rivals: what measures each of them once.
        rounds: how often.
        watch: wraps the turns, for a progress bar.

    Returns:
        for each rival its figures, one a round.
    """
    figures: dict[str, list[Figure]] = {name: [] for name in rivals}
    for _, name in watch(turns(list(rivals), rounds)):
        figures[name].append(rivals[name]())
    return figures
