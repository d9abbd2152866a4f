"""Speed of a dense VAE: every rival trains an epoch a round, in turn."""

import contextlib
import importlib.util
from functools import partial

from benchmarks import vae_systems
from benchmarks.comparison import Plan, measure_in_turn, start_all, summarise
from benchmarks.report import table
from benchmarks.vae_systems import VaeTask
from benchmarks.workers import Worker

OURS, PYTORCH = "tf-models", "pytorch"


def vae_rivals_here() -> list[str]:
    """Names of the rivals whose packages are installed."""
    return [OURS, *([PYTORCH] if importlib.util.find_spec("torch") else [])]


def compare_vaes(task: VaeTask, names: list[str], plan: Plan) -> dict:
    """Measure epochs, validation apart.

    Returns:
        what JSON says: the settings, and for each rival the seconds of an epoch, the loss of the
        last one, and what start-up took.

    Raises:
        InputError: a rival died.
    """
    starts = {
        OURS: partial(Worker, OURS, vae_systems.TfModelsVae, task, threads=plan.threads),
        PYTORCH: partial(
            Worker, PYTORCH, vae_systems.PyTorchVae, task, plan.threads, threads=plan.threads
        ),
    }
    with contextlib.ExitStack() as stack:
        workers = start_all({name: starts[name] for name in names}, stack, plan)
        start_ups = {name: workers[name].ask("start_up") for name in names}
        requests = dict.fromkeys(names, ("epoch",))
        epochs, others = measure_in_turn(workers, requests, plan, "training")
    rivals = {
        name: {
            "start_up_seconds": start_ups[name],
            "epoch_seconds": summarise(epoch.seconds for epoch in epochs[name]),
            "loss_nats": epochs[name][-1].loss,
            "taken_by_others": others[name],
        }
        for name in names
    }
    return {
        "images": task.images.name,
        "training_images": len(task.images.train),
        "settings": task.settings.as_dict(),
        "rivals": rivals,
    }


def report_vaes(results: dict) -> str:
    """The same as text."""
    settings, rivals = results["settings"], results["rivals"]
    title = (
        f"EPOCHS of {results['training_images']:,} images of {results['images']}, a VAE with "
        f"{settings['latents']} latents and hidden layers of {settings['units']}, batches of "
        f"{settings['batch_size']}; medians; PyTorch runs eagerly"
    )
    header = ("rival", "epoch s", "lowest", "highest", "images/s", "x PyTorch", "loss", "others")
    rows = [header]
    for name, rival in rivals.items():
        seconds = rival["epoch_seconds"]
        of_pytorch = rivals.get(PYTORCH, {}).get("epoch_seconds", {}).get("median")
        rows.append(
            (
                name,
                *(f"{seconds[which]:.2f}" for which in ("median", "lowest", "highest")),
                f"{results['training_images'] / seconds['median']:,.0f}",
                "-" if of_pytorch is None else f"{of_pytorch / seconds['median']:.2f}",
                f"{rival['loss_nats']:.1f}",
                f"{100 * max(rival['taken_by_others']):.0f} %",
            )
        )
    return f"{title}\n\n{table(rows)}"
