"""Training on images in a run directory: what autoencoders and VAEs share."""

import keras
import tensorflow as tf

from tf_models.data.images.batches import TRAINING, VALIDATION, ImageBatches
from tf_models.data.images.dataset import ImageSet, ImageSplit
from tf_models.errors import InputError, Report
from tf_models.tasks.autoencoding.models import (
    build_model,
    check_images,
    have_changed,
    load_image_model,
    trainable,
)
from tf_models.tasks.autoencoding.settings import ImageRunSettings
from tf_models.training.assembly import Preparation, Trainable, Training
from tf_models.training.run_directory import RunDirectory

IMAGES_IN_A_SHARD = 16  # at least; with fewer, its matrices are too small to be worth a core


def prepare_image_training(
    run: RunDirectory,
    images: ImageSet,
    settings: ImageRunSettings,
    seed: int,
    *,
    start_from: RunDirectory | None = None,
    strategy: tf.distribute.Strategy | None = None,
    report: Report = print,
) -> Training:
    """Set up a run in its directory, or pick up the one that is there (see `Preparation`).

    Args:
        run, seed, strategy, report: see `Preparation`.
        images: training and validation images.
        settings: model and training.
        start_from: a trained run whose best weights are the first ones of this one.

    Raises:
        InputError: the directory belongs to other settings, the images do not fit them, or the
            model to start from is another one or was trained on other images.
    """
    start = Preparation(run, settings, seed, strategy, report)
    batch_size = min(settings.training.batch_size, images.train.images.shape[0])
    start.share_cores(batch_size, IMAGES_IN_A_SHARD)
    batches = _batches(images, images.train, settings, seed, TRAINING)
    validation = _batches(images, images.validation, settings, seed, VALIDATION)

    def make() -> Trainable:
        model = build_model(settings, images.shape, seed, len(batches))
        if start_from and not run.has_checkpoints:
            _take_weights(model, settings, images, seed, start_from)
        # Images may lie elsewhere: their fingerprint says whether they are the same.
        moved, first = ("data.source", "data.images"), start_from and str(start_from.path)
        with start.directory(settings.kind, _describe(images), *moved, start_from=first):
            return trainable(model, settings, len(batches))

    # A VAE draws samples to validate, the same ones however a batch is shared out.
    whole = {"shard_validation": not settings.is_generative}
    return start.assemble(batches, validation.in_order(), make, **whole)


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
    settings: ImageRunSettings,
    images: ImageSet,
    seed: int,
    run: RunDirectory,
) -> None:
    """Give the model of these settings the best weights of another run of it."""
    trained, its_settings, its_config = load_image_model(run)
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
