"""Training speed: every rival trains for some seconds a round, in turn."""

import contextlib
from collections.abc import Callable
from dataclasses import asdict
from functools import partial

from benchmarks import training_systems
from benchmarks.comparison import Plan, measure_in_turn, start_all, summarise
from benchmarks.training_systems import TrainingBatches, TrainingRound, TrainingTask
from benchmarks.workers import Worker

PEAK = "GEMM peak"


def compare_training(
    task: TrainingTask, names: list[str], seconds_per_round: float, plan: Plan
) -> dict:
    """Measure rivals of `comparison.TRAINING`.

    Returns:
        what JSON says of the training part: figures of every round, and their medians.

    Raises:
        InputError: the corpus does not fit the settings, or a rival died.
    """
    with contextlib.ExitStack() as stack:
        yardstick = stack.enter_context(
            Worker(PEAK, training_systems.Yardstick, task, threads=plan.threads)
        )
        data = yardstick.ask("batches") if any(map(_is_pytorch, names)) else None
        starts = {name: _start(name, task, data, plan.threads) for name in names}
        workers = start_all(starts, stack, plan)
        start_ups = {name: workers[name].ask("start_up") for name in names}
        requests = dict.fromkeys(names, ("round", seconds_per_round)) | {PEAK: ("measure",)}
        figures, others = measure_in_turn({**workers, PEAK: yardstick}, requests, plan, "training")
    return _results(task, seconds_per_round, start_ups, figures, others)


def _start(
    name: str, task: TrainingTask, data: TrainingBatches | None, threads: int
) -> Callable[[], Worker]:
    """What starts the process of a rival; `data` is PyTorch's."""
    if _is_pytorch(name):
        make, arguments = training_systems.pytorch, (task.settings, data, _precision(name), threads)
    elif name == "tutorial":
        make, arguments = training_systems.tutorial, (task,)
    else:
        make, arguments = training_systems.tf_models, (task, _precision(name))
    return partial(Worker, name, make, *arguments, threads=threads)


def _results(
    task: TrainingTask, seconds_per_round: float, start_ups: dict, figures: dict, others: dict
) -> dict:
    peaks = figures.pop(PEAK)
    peak = {dtype: summarise(found[dtype] for found in peaks) for dtype in peaks[0]}
    rivals = {
        name: {
            "start_up_seconds": start_ups[name],
            **_speeds(rounds, peak["float32"]["median"]),
            "taken_by_others": others[name],
        }
        for name, rounds in figures.items()
    }
    for name, rival in rivals.items():
        rival["times_as_fast_as"] = {
            other: _tokens(rival) / _tokens(rivals[other])
            for other in ("tutorial", f"pytorch-{_precision(name)}")
            if other in rivals and other != name
        }
    return {
        "corpus": task.corpus.name,
        "source_language": task.corpus.source_language,
        "target_language": task.corpus.target_language,
        "training_pairs": len(task.corpus.train),
        "settings": task.settings.as_dict(),
        "seconds_per_round": seconds_per_round,
        "peak_flop_per_second": peak,
        "rivals": rivals,
    }


def _speeds(rounds: list[TrainingRound], peak: float) -> dict:
    flop = summarise(done.flop / done.seconds for done in rounds)
    return {
        "target_tokens_per_second": summarise(done.tokens / done.seconds for done in rounds),
        "steps_per_second": summarise(done.steps / done.seconds for done in rounds),
        "model_flop_per_second": flop,
        "utilisation_of_float32_peak": flop["median"] / peak,
        "rounds": [asdict(done) for done in rounds],
    }


def _tokens(rival: dict) -> float:
    return rival["target_tokens_per_second"]["median"]


def _precision(name: str) -> str:
    return "bfloat16" if name.endswith("bfloat16") else "float32"


def _is_pytorch(name: str) -> bool:
    return name.startswith("pytorch-")
