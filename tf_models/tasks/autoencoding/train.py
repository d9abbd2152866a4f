"""Training on images in a run directory: what autoencoders and VAEs share."""

from collections.abc import Callable
from dataclasses import dataclass

import keras
import tensorflow as tf

from tf_models.data.images.batches import TRAINING, VALIDATION, ImageBatches
from tf_models.data.images.dataset import ImageSet, ImageSplit
from tf_models.errors import InputError
from tf_models.tasks.autoencoding.builders import ModelFamily
from tf_models.tasks.autoencoding.settings import ImageRunSettings
from tf_models.tasks.autoencoding.trained_model import (
    check_images,
    have_changed,
    load_image_model,
)
from tf_models.training.assembly import Trainable, assemble, share_cores
from tf_models.training.distributed.workers import Workers
from tf_models.training.loop import TrainingLoop
from tf_models.training.reproducibility import make_reproducible
from tf_models.training.run_directory import RunDirectory, run_config
from tf_models.training.train_step import TrainStep

IMAGES_IN_A_SHARD = 16  # at least; with fewer, its matrices are too small to be worth a core


@dataclass(frozen=True)
class ImageTraining:
    """Everything of one training run on images, ready to `loop.fit(epochs)`."""

    run: RunDirectory
    model: keras.Model
    batches: ImageBatches
    step: TrainStep
    loop: TrainingLoop


def prepare_image_training(
    family: ModelFamily,
    run: RunDirectory,
    images: ImageSet,
    settings: ImageRunSettings,
    seed: int,
    *,
    start_from: RunDirectory | None = None,
    strategy: tf.distribute.Strategy | None = None,
    report: Callable[[str], None] = print,
) -> ImageTraining:
    """Set up a run in its directory, or pick up the one that is there.

    It sets TensorFlow's threads, too, if TensorFlow has computed nothing yet.

    Args:
        family: of the model.
        run: new, or made by the same call before.
        images: training and validation images.
        settings: model and training.
        seed: of weights, samples, order and noise, 0 to 2**32 - 1.
        start_from: a trained run whose best weights are the first ones of this one.
        strategy: how to distribute; TensorFlow's default strategy (one device) if left out.
        report: what to do with a line for the reader.

    Raises:
        InputError: the directory belongs to other settings, the images do not fit them, or the
            model to start from is another one or was trained on other images.
    """
    strategy = strategy or tf.distribute.get_strategy()
    make_reproducible(seed)
    workers = Workers(strategy)
    run = workers.share(run)
    batch_size = min(settings.training.batch_size, images.train.images.shape[0])
    num_shards = share_cores(strategy, batch_size, IMAGES_IN_A_SHARD)
    batches = _batches(images, images.train, settings, seed, TRAINING)

    def make() -> Trainable:
        model = family.build(settings, images.shape, seed, len(batches))
        if start_from and not run.has_checkpoints:
            _take_weights(model, family, settings, images, seed, start_from)
        with workers.chief_first():
            config = _config(family, images, settings, seed, start_from)
            run.prepare(config, _changeable(settings), settings.lowerable())
        family.compile(model, settings, len(batches))
        return Trainable(model, model.optimizer, family.objective(model))

    loop = assemble(
        run,
        batches,
        _batches(images, images.validation, settings, seed, VALIDATION).in_order(),
        make,
        strategy=strategy,
        num_shards=num_shards,
        shard_validation=not family.draws_to_validate,
        report=report,
    )
    return ImageTraining(run, loop.step.model, batches, loop.step, loop)


def _batches(
    images: ImageSet, split: ImageSplit, settings: ImageRunSettings, seed: int, part: int
) -> ImageBatches:
    return ImageBatches(
        split.images,
        images.maximum,
        settings.training.batch_size,
        seed,
        binarisation=settings.inputs.binarisation,
        corruption=settings.inputs.corruption,
        part=part,
    )


def _take_weights(
    model: keras.Model,
    family: ModelFamily,
    settings: ImageRunSettings,
    images: ImageSet,
    seed: int,
    run: RunDirectory,
) -> None:
    """Give the model of these settings the best weights of another run of it."""
    trained, its_settings, its_config = load_image_model(family, run)
    its_seed = its_config["seed"]
    if seed != its_seed and have_changed(images, its_config["data"]):
        raise InputError(
            f"seed {seed} holds out images that {run.path} was trained on; pass --seed {its_seed}"
        )
    check_images(images, its_config, run)
    its_values = _what_weights_depend_on(its_settings)
    for name, here in _what_weights_depend_on(settings).items():
        if its_values[name] != here:
            raise InputError(
                f"{run.path} holds another model: its {name} is {its_values[name]!r}, and here it "
                f"is {here!r}"
            )
    model.set_weights(trained.get_weights())


def _what_weights_depend_on(settings: ImageRunSettings) -> dict:
    """The model, and the KL term's weight: other weights are best for another one."""
    beta = getattr(settings.objective, "beta", None)
    return {"variant": settings.variant, **settings.model.flat(), "beta": beta}


def _config(
    family: ModelFamily,
    images: ImageSet,
    settings: ImageRunSettings,
    seed: int,
    start_from: RunDirectory | None,
) -> dict:
    config = run_config(family.kind, settings, _describe(images), seed)
    return {**config, "start_from": str(start_from.path) if start_from else None}


def _changeable(settings: ImageRunSettings) -> list[str]:
    """Images may lie elsewhere: their fingerprint says whether they are the same."""
    return [*settings.changeable(), "data.source", "data.images"]


def _describe(images: ImageSet) -> dict:
    return {
        "images": images.name,
        "source": images.source,
        "shape": images.shape,
        "maximum": images.maximum,
        "left_out_class": images.left_out,
        "training_images": len(images.train),
        "validation_images": len(images.validation),
        "test_images": len(images.test),
        "fingerprint": images.fingerprint(),
    }
