"""Speed of a dense VAE: each system trains an epoch a round or several, in turn."""

from research.benchmarks.comparison import (
    Plan,
    add_speed_ratios,
    measure_in_turn,
    started,
    system_results,
)
from research.benchmarks.rounds import summarise
from research.benchmarks.vae_systems import Epoch, PyTorch, TfModels, VAETask


def compare_vaes(task: VAETask, names: list[str], plan: Plan) -> dict:
    """Measure systems of `VAE_SYSTEMS`.

    Returns:
        what JSON says of the VAE: its settings, and for each system the seconds of an epoch, the
        mean loss of the last one, and what start-up took.

    Raises:
        InputError: a process died.
    """
    systems = {
        "tf-models": (TfModels, task),
        "pytorch": (PyTorch, task, plan.threads),
        "pytorch-compiled": (PyTorch, task, plan.threads, True),
    }
    with started({name: systems[name] for name in names}, plan) as workers:
        measured = measure_in_turn(workers, dict.fromkeys(names, ("round",)), plan, "training")
        results = system_results(workers, measured, _figures)
    add_speed_ratios(
        results,
        lambda name: ["pytorch", "pytorch-compiled"],
        lambda ours, theirs: _seconds(theirs) / _seconds(ours),
    )
    return {
        "images": task.images.name,
        "training_images": len(task.images.train),
        "settings": task.settings.flat(),
        "systems": results,
    }


def _figures(epochs: list[Epoch]) -> dict:
    return {
        "epoch_seconds": summarise(epoch.seconds for epoch in epochs),
        "loss_nats": epochs[-1].loss,
    }


def _seconds(system: dict) -> float:
    return system["epoch_seconds"]["median"]
