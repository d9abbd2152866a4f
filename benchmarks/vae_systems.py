"""Who takes part in the VAE benchmark; each class is one rival in its own process.

Only with a call does a rival import its libraries.
"""

import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.timing import timed
from tf_models.command_line import quiet_tensorflow
from tf_models.data.images.dataset import ImageSet
from tf_models.tasks.autoencoding.vae_settings import VAESettings

SEED = 0


@dataclass(frozen=True)
class VaeTask:
    """What all rivals train: the same images, the same sizes.

    folder: where run directories may be made.
    """

    images: ImageSet
    settings: VAESettings
    folder: Path


@dataclass(frozen=True)
class Epoch:
    """What one epoch took, and the mean loss over it, in nats."""

    seconds: float
    loss: float


class VaeRival:
    """A subclass trains epochs; `seconds` of start-up are kept by what took them."""

    def __init__(self, seconds: dict[str, float]):
        with timed(seconds, "first epoch"):
            self.epoch()
        self._start_up = seconds

    def start_up(self) -> dict[str, float]:
        """Seconds until the end of the first epoch, by what took them."""
        return self._start_up

    def epoch(self) -> Epoch:
        """Train on every image once."""
        raise NotImplementedError


class TfModelsVae(VaeRival):
    """This project's own training: its batches, its train step, without validation."""

    def __init__(self, task: VaeTask):
        seconds: dict[str, float] = {}
        with timed(seconds, "import"), quiet_tensorflow():
            from tf_models.runtime import IMAGES_IN_A_TOWER, use_cores_for_towers
            from tf_models.tasks.autoencoding.train import prepare_image_training
            from tf_models.tasks.autoencoding.vae_family import VAE_FAMILY
            from tf_models.training.run_directory import RunDirectory
        with timed(seconds, "prepare"):
            towers = use_cores_for_towers(task.settings.batch_size, IMAGES_IN_A_TOWER)
            self._training = prepare_image_training(
                VAE_FAMILY,
                RunDirectory(task.folder / "tf-models"),
                task.images,
                task.settings,
                SEED,
                report=lambda line: None,
            )
            self._training.model.towers = towers
        self._number = 0
        super().__init__(seconds)

    def epoch(self) -> Epoch:
        step = self._training.step
        step.totals.reset()
        started = time.perf_counter()
        batches = self._training.batches
        step.train_steps(iter(batches.epoch(self._number)), len(batches))
        loss = step.totals.means()["loss"]
        self._number += 1
        return Epoch(time.perf_counter() - started, loss)


class PyTorchVae(VaeRival):
    """The same model in PyTorch: images in memory, one tensor operation a step, fused Adam.

    Args:
        task: what to train.
        threads: for PyTorch's operations.
    """

    def __init__(self, task: VaeTask, threads: int):
        seconds: dict[str, float] = {}
        with timed(seconds, "import"):
            import torch

            from benchmarks import pytorch_vae
        torch.manual_seed(SEED)
        torch.set_num_threads(threads)
        torch.set_flush_denormal(True)
        with timed(seconds, "prepare"):
            images = task.images
            self._trainer = pytorch_vae.Trainer(images.pixels(images.train), task.settings)
        super().__init__(seconds)

    def epoch(self) -> Epoch:
        started = time.perf_counter()
        loss = self._trainer.epoch()
        return Epoch(time.perf_counter() - started, loss)
