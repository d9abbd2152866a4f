"""Training a classifier of images: from images and settings to a model in a run directory."""

import math

import tensorflow as tf

from tf_models.classification.images.classifier import KIND, build_classifier
from tf_models.classification.images.settings import ImageClassifierSettings
from tf_models.data.image_batches import LabelledBatches
from tf_models.data.images import KEPT_BYTES, ImageSet, describe, show_shape
from tf_models.errors import InputError, Report
from tf_models.training.loop import TrainingLoop
from tf_models.training.optimizers import make_adam, time_fraction
from tf_models.training.run_directory import RunDirectory
from tf_models.training.strategy import prepare_devices

IMAGES_IN_A_SHARD = 16  # at least; with fewer, its matrices are too small to be worth a core


def prepare_image_classifier_training(
    run: RunDirectory,
    images: ImageSet,
    settings: ImageClassifierSettings,
    seed: int,
    *,
    minutes: float = math.inf,
    strategy: tf.distribute.Strategy | None = None,
    report: Report = print,
) -> TrainingLoop:
    """Set up a training in its run directory, new or to be resumed.

    The best epoch is the one with the highest validation accuracy.

    Args:
        run: its directory.
        images: training and validation images, with labels.
        settings: of model and training.
        seed: of weights, noise and order.
        minutes, strategy, report: see `TrainingLoop`.

    Raises:
        InputError: the directory belongs to another training, or the images have no labels or do
            not fit the settings.
    """
    classes = [images.class_name(i) for i in range(images.number_of_classes("a classifier"))]
    training, shift = settings.training, settings.augmentation.shift
    if shift >= min(images.shape[:2]):  # nothing of the image would be left
        raise InputError(
            "shift must be less than height and width of the images; "
            f"received shift={shift}, images of {show_shape(images.shape)}"
        )
    options = images.maximum, training.batch_size, seed
    batches = LabelledBatches(images.train, *options, shift=shift)
    validation = LabelledBatches(images.validation, *options)

    shards = prepare_devices(seed, min(training.batch_size, len(images.train)), IMAGES_IN_A_SHARD)
    strategy = strategy or tf.distribute.get_strategy()
    with strategy.scope():
        fraction = time_fraction(settings.optimizer.schedule, minutes)
        model = build_classifier(settings, images.shape, len(classes))
        model.num_shards = shards
        steps = training.epochs * len(batches)
        model.compile(make_adam(settings.optimizer, steps, fraction))
    run.prepare(KIND, settings, {**describe(images), "classes": classes}, seed, minutes)
    images.save(run.images_file, KEPT_BYTES)
    return TrainingLoop(
        run,
        model,
        batches,
        validation.in_order(),
        epochs=training.epochs,
        minutes=minutes,
        fraction=fraction,
        monitor="val_accuracy",
        strategy=strategy,
        report=report,
    )
