"""A translator as it was at the ends of the last epochs of its training, if the run keeps them."""

from collections.abc import Iterator
from pathlib import Path

from tf_models.tasks.translation.translator import Translator
from tf_models.training import checkpoints
from tf_models.training.history import History
from tf_models.training.run_directory import RunDirectory


def kept_epochs(translator: Translator, run_dir: Path) -> Iterator[int]:
    """Load the weights of each epoch that is kept, the first one first, and yield its number.

    Args:
        translator: of that run; its weights are what they were, afterwards.
        run_dir: where the epochs may lie; training keeps them with `--average-last-n`.
    """
    run, network = RunDirectory(run_dir), translator.model.network
    names = checkpoints.kept_epochs(run)
    last = max(len(History(run.history_file).rows), len(names))
    weights = network.get_weights()
    try:
        for epoch, name in enumerate(names, start=last - len(names) + 1):
            checkpoints.load_model(network, run, name)
            yield epoch
    finally:
        network.set_weights(weights)
