"""The systems of the VAE benchmark; each object is one system in its own process."""

import time
from dataclasses import dataclass
from pathlib import Path

from research.benchmarks.systems import SEED, System, set_up_pytorch
from tf_models.command_line import quiet_tensorflow
from tf_models.data.images.dataset import ImageSet
from tf_models.tasks.autoencoding.settings import ImageRunSettings

MANY = 1_000_000  # epochs: more than are ever measured
# Of a round, at least. Threads that have slept need a while: alone, an epoch of the digits takes
# nearly half as long again as it does within a training.
LEAST_SECONDS = 0.5


@dataclass(frozen=True)
class VAETask:
    """What all systems train: the same images, the same sizes.

    folder: where run directories may be made.
    """

    images: ImageSet
    settings: ImageRunSettings
    folder: Path


@dataclass(frozen=True)
class Epoch:
    """Seconds that an epoch took, and the last one's mean loss, the negative ELBO, in nats."""

    seconds: float
    loss: float


class VAESystem(System):
    """A subclass trains epochs, and calls `start` when it is ready."""

    def start(self) -> None:
        """Train the first epoch, which is part of the start-up."""
        with self.timed("first epoch"):
            self.epoch()

    def round(self) -> Epoch:
        """Train an epoch, or as many as fill `LEAST_SECONDS`, without validation."""
        count, elapsed, started = 0, 0.0, time.perf_counter()
        while elapsed < LEAST_SECONDS:
            loss = self.epoch()
            count += 1
            elapsed = time.perf_counter() - started
        return Epoch(elapsed / count, loss)

    def epoch(self) -> float:
        """Train on every image once; return the mean loss in nats."""
        raise NotImplementedError


class TfModels(VAESystem):
    """This project's own training: its batches and its train step."""

    def __init__(self, task: VAETask):
        super().__init__()
        with self.timed("import"), quiet_tensorflow():
            from tf_models.tasks.autoencoding.train import prepare_image_training
            from tf_models.training.run_directory import RunDirectory
        with self.timed("prepare"):
            self._training = prepare_image_training(
                RunDirectory(task.folder / "tf-models"),
                task.images,
                task.settings,
                SEED,
                report=lambda line: None,
            )
        # One iterator for all epochs, as the training loop has it.
        self._left = iter(self._training.batches.batches_from(0, 0, end=MANY))
        self.start()

    def epoch(self) -> float:
        step, batches = self._training.step, self._training.batches
        step.metrics.reset()
        step.train_steps(self._left, len(batches))
        return step.metrics.means()["loss"]


class PyTorch(VAESystem):
    """The same model in PyTorch: images in memory, fused Adam.

    Args:
        task: what to train.
        threads: for PyTorch's operations.
        compiled: whether TorchInductor compiles the model.
    """

    def __init__(self, task: VAETask, threads: int, compiled: bool = False):
        super().__init__()
        with self.timed("import"):
            import torch

            from research.benchmarks import pytorch_vae
        set_up_pytorch(threads)
        torch.set_flush_denormal(True)
        with self.timed("prepare"):
            images = task.images
            self._trainer = pytorch_vae.Trainer(images.pixels(images.train), task.settings)
            if compiled:
                self._trainer.model.compile()
        self.note = "compiled by TorchInductor" if compiled else "runs eagerly"
        self.start()

    def epoch(self) -> float:
        return self._trainer.epoch()
