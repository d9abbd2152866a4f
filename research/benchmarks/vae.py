"""Time epochs of a dense VAE beside the same model in PyTorch, eager and compiled."""

import argparse
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from research.benchmarks.systems import (
    add_options,
    add_ratios,
    measure_in_turn,
    report,
    set_up_pytorch,
)
from research.command import add_settings, run

if TYPE_CHECKING:
    from tf_models.autoencoding.settings import ImageRunSettings
    from tf_models.data.images import ImageSet

SYSTEMS = ("tf-models", "pytorch", "pytorch-compiled")
MILLISECONDS = "ms an epoch"
MANY = 1_000_000  # epochs: more than are ever measured
# Of a round, at least: threads that have slept need a while.
LEAST_SECONDS = 0.5


@dataclass(frozen=True)
class Task:
    """The images and sizes that all systems train with."""

    images: "ImageSet"
    settings: "ImageRunSettings"


class VAESystem:
    """A subclass trains epochs."""

    def round(self) -> dict[str, float]:
        """Train an epoch, or as many as fill `LEAST_SECONDS`, without validation."""
        count, elapsed, started = 0, 0.0, time.perf_counter()
        while elapsed < LEAST_SECONDS:
            loss = self.epoch()
            count += 1
            elapsed = time.perf_counter() - started
        return {MILLISECONDS: 1000 * elapsed / count, "loss, nats": loss}

    def epoch(self) -> float:
        """Train on every image once; return the mean loss in nats."""
        raise NotImplementedError


class TfModels(VAESystem):
    """This project's own training: its batches and its train step."""

    def __init__(self, task: Task):
        import tensorflow as tf

        from tf_models.autoencoding.model import build_model
        from tf_models.autoencoding.train import make_batches
        from tf_models.data.image_batches import TRAINING
        from tf_models.training.devices import EXAMPLES_IN_A_SHARD, compile_steps, device_scope
        from tf_models.training.optimizers import make_adam

        images, settings = task.images, task.settings
        # As in a training, nothing is computed before: TensorFlow's threads would be other ones.
        with device_scope(0, settings.training.batch_size, EXAMPLES_IN_A_SHARD) as shards:
            batches = make_batches(images, images.train, settings, 0, TRAINING)
            self._steps = len(batches)
            self._model = build_model(settings, images.shape)
            self._model.num_shards = shards
            self._model.compile(make_adam(settings.optimizer, MANY * self._steps))
        self._model.optimizer.build(self._model.trainable_variables)
        spec = batches.in_order().element_spec
        strategy = tf.distribute.get_strategy()
        self._train_steps, _ = compile_steps(self._model, strategy, spec)
        # One iterator for all epochs, as the training loop has it.
        self._left = iter(batches.batches_from(0, 0, end=MANY))
        self.epoch()

    def epoch(self) -> float:
        import tensorflow as tf

        means = self._model.means
        means.reset_state()
        self._train_steps(self._left, tf.constant(self._steps))
        return float(means.result()["loss"])


class PyTorch(VAESystem):
    """The same model in PyTorch: images in memory, fused Adam.

    Args:
        task: images and sizes.
        threads: for PyTorch's operations.
        compiled: whether TorchInductor compiles model and loss.
    """

    def __init__(self, task: Task, threads: int, compiled: bool):
        from research.benchmarks import pytorch_vae

        set_up_pytorch(threads)
        images = task.images
        self._trainer = pytorch_vae.Trainer(images.pixels(images.train), task.settings)
        if compiled:
            self._trainer.model.compile()
        self.epoch()  # it compiles for both sizes of a batch

    def epoch(self) -> float:
        return self._trainer.epoch()


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dataset", default="digits", help="default: digits")
    parser.add_argument("--data-dir", type=Path, help="folder of TFDS data sets")
    add_settings(parser, "latents=20 units=(400,)")
    add_options(parser, SYSTEMS)
    return parser


def main(arguments: argparse.Namespace) -> None:
    from tf_models.autoencoding.settings import preset
    from tf_models.data.images import load_images

    images = load_images(arguments.dataset, data_dir=arguments.data_dir)
    threads = arguments.threads
    settings = preset("vae").changed(**dict(arguments.set))
    task = Task(images, settings)
    known = {
        "tf-models": (TfModels, task),
        "pytorch": (PyTorch, task, threads, False),
        "pytorch-compiled": (PyTorch, task, threads, True),
    }
    systems = {name: known[name] for name in arguments.systems}
    results = measure_in_turn(systems, arguments.rounds, threads)
    first = arguments.systems[0]
    add_ratios(results, MILLISECONDS, f"time, {first} = 1")
    sizes = f"{settings.model.latents} latents, units {settings.model.units}"
    batches = f"batches of {settings.training.batch_size}"
    title = f"a VAE of {len(images.train):,} images of {images.name}, {sizes}, {batches}"
    report(title, results, threads)


if __name__ == "__main__":
    run(make_parser(), main)
