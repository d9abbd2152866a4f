"""What both parts of the benchmark share: who takes part, and how they are measured in turn."""

import contextlib
import importlib.util
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial

from benchmarks.quiet import Patience
from benchmarks.rounds import Summary, play
from benchmarks.workers import Worker
from tf_models.errors import InputError

TRAINING = (
    *("tutorial", "tf-models-float32", "tf-models-bfloat16"),
    *("pytorch-float32", "pytorch-bfloat16"),
)
DECODING = ("tutorial", "tf-models", "ctranslate2")
RIVALS = tuple(dict.fromkeys((*TRAINING, *DECODING)))
PACKAGES = {
    "pytorch-float32": ("torch",),
    "pytorch-bfloat16": ("torch",),
    "ctranslate2": ("ctranslate2", "torch"),  # the latter for the export
}

Watch = Callable[[Sequence, str], Iterable]  # shows how far an iteration is, under a title


@dataclass(frozen=True)
class Plan:
    """How to measure.

    rounds: how often each rival is measured.
    threads: cores that each may use.
    patience: to wait for a quiet machine, and to repeat rounds that others disturb.
    watch: shows how far things are.
    """

    rounds: int
    threads: int
    patience: Patience
    watch: Watch


def taking_part(
    part: Sequence[str], wanted: Sequence[str] | None, say: Callable[[str], None]
) -> list[str]:
    """The rivals of a part that are wanted and whose packages are installed.

    Args:
        part: `TRAINING` or `DECODING`.
        wanted: names; None: all.
        say: told, in a line each, who is left out for want of a package.

    Raises:
        InputError: a name is unknown.
    """
    for name in wanted or ():
        if name not in RIVALS:
            raise InputError(f"rivals are {', '.join(RIVALS)}; received {name!r}")
    chosen = [name for name in part if wanted is None or name in wanted]
    missing = {name: _missing(name) for name in chosen}
    for name, packages in missing.items():
        if packages:
            say(
                f"{name} is left out: {' and '.join(packages)} not installed "
                '(pip install -e ".[benchmark]")'
            )
    return [name for name in chosen if not missing[name]]


def _missing(name: str) -> list[str]:
    packages = PACKAGES.get(name, ())
    return [package for package in packages if importlib.util.find_spec(package) is None]


def measure_in_turn(
    workers: dict[str, Worker], requests: dict[str, tuple], plan: Plan, title: str
) -> tuple[dict[str, list], dict[str, list[float]]]:
    """Ask every worker once a round.

    Args:
        workers: by name.
        requests: for each worker a method and its arguments.
        plan: how often.
        title: of the progress bar.

    Returns:
        for each worker its results, one a round, and the shares that other processes took.
    """
    asked = {
        name: partial(workers[name].measure, *request, patience=plan.patience)
        for name, request in requests.items()
    }
    measured = play(asked, plan.rounds, lambda turns: plan.watch(list(turns), title))
    results = {name: [found.result for found in rounds] for name, rounds in measured.items()}
    others = {name: [found.others for found in rounds] for name, rounds in measured.items()}
    return results, others


def start_all(
    starts: dict[str, Callable[[], Worker]], stack: contextlib.ExitStack, plan: Plan
) -> dict[str, Worker]:
    """Start one worker after the other, so that none disturbs the start-up of another."""
    return {
        name: stack.enter_context(start())
        for name, start in plan.watch(list(starts.items()), "starting")
    }


def summarise(figures: Iterable[float]) -> dict[str, float]:
    """Median, lowest and highest of one figure a round, for JSON."""
    return asdict(Summary.of(figures))
