"""How systems are started, measured in turn and compared, whatever they do."""

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from research.benchmarks.quiet import WaitBudget
from research.benchmarks.rounds import run_rounds
from research.benchmarks.workers import Measurement, Worker

Progress = Callable[[Sequence, str], Iterable]  # iterates, with a progress bar of that title


@dataclass(frozen=True)
class Plan:
    """How to measure.

    rounds: how often each system is measured.
    threads: cores that each may use.
    wait: seconds to wait for a quiet machine, and to repeat rounds that other processes disturb.
    progress: shows how far an iteration is.
    """

    rounds: int
    threads: int
    wait: WaitBudget
    progress: Progress


@contextlib.contextmanager
def started(systems: dict[str, tuple], plan: Plan) -> Iterator[dict[str, Worker]]:
    """Workers for the block, started one after the other: none disturbs another's start-up.

    Args:
        systems: for each name what makes the system, and its arguments.
        plan: threads and progress bar.

    Raises:
        InputError: a system raised one, or its process died.
    """
    with contextlib.ExitStack() as stack:
        yield {
            name: stack.enter_context(Worker(name, make, *arguments, threads=plan.threads))
            for name, (make, *arguments) in plan.progress(list(systems.items()), "starting")
        }


def measure_in_turn(
    workers: dict[str, Worker], requests: dict[str, tuple], plan: Plan, title: str
) -> dict[str, list[Measurement]]:
    """Ask every worker once a round.

    Args:
        workers: by name.
        requests: for each worker a method and its arguments.
        plan: how often, and how long to wait.
        title: of the progress bar.

    Returns:
        for each worker its measurements, one a round.

    Raises:
        InputError: a system raised one, or its process died.
    """
    measure = {
        name: partial(workers[name].measure, *request, wait=plan.wait)
        for name, request in requests.items()
    }
    return run_rounds(measure, plan.rounds, lambda turns: plan.progress(list(turns), title))


def system_results(
    workers: dict[str, Worker],
    measured: dict[str, list[Measurement]],
    figures: Callable[[list], dict],
) -> dict[str, dict]:
    """What JSON says of each system.

    Args:
        workers: by name, still running.
        measured: from `measure_in_turn`.
        figures: turns one system's results, one a round, into what JSON says of them.
    """
    return {
        name: {
            **workers[name].ask("describe"),
            **figures([measurement.result for measurement in measurements]),
            "other_cpu_share": [measurement.other_cpu_share for measurement in measurements],
        }
        for name, measurements in measured.items()
    }


def add_speed_ratios(
    systems: dict[str, dict],
    baselines: Callable[[str], Collection[str]],
    ratio: Callable[[dict, dict], object],
) -> None:
    """Say of each system how many times as fast as its baselines it is.

    Args:
        systems: from `system_results`; each gets `times_as_fast_as`, by name of the baseline.
        baselines: names of those that a system is compared with, measured or not.
        ratio: of a system's and a baseline's results.
    """
    for name, system in systems.items():
        system["times_as_fast_as"] = {
            baseline: ratio(system, systems[baseline])
            for baseline in baselines(name)
            if baseline in systems and baseline != name
        }
