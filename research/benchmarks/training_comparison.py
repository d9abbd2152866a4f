"""Training speed: each system trains for some seconds a round, in turn."""

from dataclasses import asdict

from research.benchmarks.comparison import (
    Plan,
    add_speed_ratios,
    measure_in_turn,
    started,
    system_results,
)
from research.benchmarks.rounds import summarise
from research.benchmarks.training_systems import (
    PyTorch,
    Reference,
    TfModels,
    TrainingBatches,
    TrainingRound,
    TrainingTask,
    Tutorial,
)
from research.benchmarks.workers import Measurement, Worker

PEAK = "GEMM peak"


def compare_training(
    task: TrainingTask, names: list[str], seconds_per_round: float, plan: Plan
) -> dict:
    """Measure systems of `TRAINING_SYSTEMS`.

    Returns:
        what JSON says of the training part: figures of every round, and their medians.

    Raises:
        InputError: the corpus does not fit the settings, or a process died.
    """
    with Worker(PEAK, Reference, task, threads=plan.threads) as reference:
        data = reference.ask("batches") if any(map(_is_pytorch, names)) else None
        systems = {name: _system(name, task, data, plan.threads) for name in names}
        with started(systems, plan) as workers:
            requests = dict.fromkeys(names, ("round", seconds_per_round)) | {PEAK: ("measure",)}
            measured = measure_in_turn({**workers, PEAK: reference}, requests, plan, "training")
            peak = _peak(measured.pop(PEAK))
            results = system_results(
                workers, measured, lambda rounds: _speeds(rounds, peak["float32"]["median"])
            )
    add_speed_ratios(results, _baselines, lambda ours, theirs: _tokens(ours) / _tokens(theirs))
    return {
        "corpus": task.corpus.name,
        "source_language": task.corpus.source_language,
        "target_language": task.corpus.target_language,
        "training_pairs": len(task.corpus.train),
        "architecture": task.settings.architecture,
        "settings": task.settings.flat(),
        "seconds_per_round": seconds_per_round,
        "peak_flop_per_second": peak,
        "systems": results,
    }


def _system(name: str, task: TrainingTask, data: TrainingBatches | None, threads: int) -> tuple:
    """What makes a system, and its arguments; `data` is PyTorch's."""
    if _is_pytorch(name):
        return PyTorch, task.settings, data, _precision(name), threads, "compiled" in name
    if name == "tutorial":
        return Tutorial, task
    return TfModels, task, _precision(name)


def _peak(measurements: list[Measurement]) -> dict[str, dict[str, float]]:
    """The GEMM peak in FLOP/s, by type: a summary of all rounds."""
    peaks = [measurement.result for measurement in measurements]
    return {dtype: summarise(found[dtype] for found in peaks) for dtype in peaks[0]}


def _speeds(rounds: list[TrainingRound], peak: float) -> dict:
    """What JSON says of one system's rounds; `peak` in FLOP/s."""
    flop = summarise(done.flop / done.seconds for done in rounds)
    return {
        "target_tokens_per_second": summarise(done.tokens / done.seconds for done in rounds),
        "steps_per_second": summarise(done.steps / done.seconds for done in rounds),
        "model_flop_per_second": flop,
        "utilisation_of_float32_peak": flop["median"] / peak,
        "rounds": [asdict(done) for done in rounds],
    }


def _baselines(name: str) -> tuple[str, ...]:
    precision = _precision(name)
    return "tutorial", f"pytorch-{precision}", f"pytorch-compiled-{precision}"


def _tokens(system: dict) -> float:
    return system["target_tokens_per_second"]["median"]


def _precision(name: str) -> str:
    return "bfloat16" if name.endswith("bfloat16") else "float32"


def _is_pytorch(name: str) -> bool:
    return name.startswith("pytorch-")
