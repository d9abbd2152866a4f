"""Rounds: each system is measured once in each, so that a slower machine slows all alike."""

import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

Result = TypeVar("Result")


def turns(names: Sequence[str], rounds: int) -> Iterator[tuple[int, str]]:
    """Yield (round, name): each name once a round, and another one first in each round."""
    for number in range(rounds):
        first = number % len(names)
        for name in (*names[first:], *names[:first]):
            yield number, name


def run_rounds(
    measure: dict[str, Callable[[], Result]],
    rounds: int,
    progress: Callable[[Iterator], Iterable] = iter,
) -> dict[str, list[Result]]:
    """Measure all systems, round by round.

    Args:
        measure: for each system a call that measures it once.
        rounds: how often.
        progress: wraps the turns, for a progress bar.

    Returns:
        for each system its results, one a round.
    """
    results: dict[str, list[Result]] = {name: [] for name in measure}
    for _, name in progress(turns(list(measure), rounds)):
        results[name].append(measure[name]())
    return results


def summarise(figures: Iterable[float]) -> dict[str, float]:
    """Median, lowest and highest of one figure a round, at least one, for JSON."""
    figures = sorted(figures)
    return {"median": statistics.median(figures), "lowest": figures[0], "highest": figures[-1]}
