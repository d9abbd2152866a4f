"""Training on images in a run directory: autoencoders, layer after layer if need be, and VAEs."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import keras
import tensorflow as tf

from tf_models.autoencoders.autoencoder import Autoencoder
from tf_models.autoencoders.hierarchical import HierarchicalVAE
from tf_models.autoencoding.models import ImageModel, build_model, outputs_of
from tf_models.autoencoding.settings import ImageRunSettings
from tf_models.data.image_batches import TRAINING, VALIDATION, ImageBatches
from tf_models.data.images import KEPT_BYTES, ImageSet, ImageSplit, describe
from tf_models.errors import InputError, Report
from tf_models.training.loop import TrainingLoop
from tf_models.training.optimizers import make_adam, time_fraction
from tf_models.training.run_directory import RunDirectory
from tf_models.training.strategy import prepare_devices

IMAGES_IN_A_SHARD = 16  # at least; with fewer, its matrices are too small to be worth a core
ADAMAX = {"adam": keras.optimizers.Adamax, "epsilon": 1e-3}  # as NVAE's authors


def prepare_image_training(
    run: RunDirectory,
    images: ImageSet,
    settings: ImageRunSettings,
    seed: int,
    *,
    start_from: RunDirectory | None = None,
    minutes: float = math.inf,
    strategy: tf.distribute.Strategy | None = None,
    report: Report = print,
) -> TrainingLoop:
    """Set up a training in its run directory, new or to be resumed.

    Args:
        run: its directory.
        images: training and validation images.
        settings: of model and training.
        seed: of weights, noise and order.
        start_from: a trained run of the same model, whose best weights are the first ones.
        minutes, strategy, report: see `TrainingLoop`.

    Raises:
        InputError: the directory belongs to another training, or images, settings and `start_from`
            do not fit each other.
    """
    data, classes = describe(images), 0
    if settings.is_conditional:
        data["classes"] = classes = images.number_of_classes("a conditional model")
    batches, validation = (
        ImageBatches(
            split.images,
            images.maximum,
            settings.training.batch_size,
            seed,
            binarisation=settings.inputs.binarisation,
            corruption=settings.inputs.corruption,
            part=part,
            labels=split.labels if settings.is_conditional else None,
        )
        for split, part in ((images.train, TRAINING), (images.validation, VALIDATION))
    )

    batch_size = min(settings.training.batch_size, len(images.train))
    shards = prepare_devices(seed, batch_size, IMAGES_IN_A_SHARD)
    strategy = strategy or tf.distribute.get_strategy()
    with strategy.scope():
        fraction = time_fraction(settings.optimizer.schedule, minutes)
        model = build_model(settings, images.shape, seed, len(batches), classes)
        if start_from and not run.has_checkpoints:
            _take_weights(model, settings, images, start_from)
        model.num_shards = shards
        steps = settings.training.epochs * len(batches)
        kind = ADAMAX if isinstance(model, HierarchicalVAE) else {}
        model.compile(make_adam(settings.optimizer, steps, fraction, **kind))
    first = start_from and str(start_from.path)
    run.prepare(settings.kind, settings, data, seed, minutes, start_from=first)
    images.save(run.images_file, None if settings.is_linear else KEPT_BYTES)  # PCA needs all
    return TrainingLoop(
        run,
        model,
        batches,
        validation.in_order(),
        epochs=settings.training.epochs,
        minutes=minutes,
        fraction=fraction,
        strategy=strategy,
        report=report,
    )


def _take_weights(
    model: keras.Model, settings: ImageRunSettings, images: ImageSet, run: RunDirectory
) -> None:
    """Give the model of these settings the best weights of another run of it."""
    trained = ImageModel.load(run.path)
    trained.origin.check(images)
    if (trained.settings.variant, trained.settings.model) != (settings.variant, settings.model):
        raise InputError(f"{run.path} holds another model; repeat the options of its model")
    model.set_weights(trained.model.get_weights())


def train_autoencoder(
    run_dir: Path,
    images: ImageSet,
    settings: ImageRunSettings,
    seed: int,
    *,
    minutes: float = math.inf,
    strategy: tf.distribute.Strategy | None = None,
    report: Report = print,
) -> TrainingLoop | None:
    """Train an autoencoder in a run directory: layer after layer first, if the settings say so.

    It takes so many minutes; layers that are trained alone, and the whole, have equal parts of
    them. Returns the finished training, or None if Ctrl-C ended it.

    Raises:
        InputError: see `prepare_image_training`.
    """
    if settings.objective.pretrain_epochs:
        minutes /= len(_widths(settings)) + 1
    options: dict[str, Any] = {"minutes": minutes, "report": report}
    training = prepare_image_training(
        RunDirectory(run_dir), images, settings, seed, strategy=strategy, **options
    )
    report(f"model: {training.model.count_params():,} parameters; run directory {run_dir}")
    fresh = not training.run.has_checkpoints  # a network that learns already keeps its weights
    if fresh and not pretrain(training, images, settings, seed, **options):
        return None
    return training if training.fit() else None


def pretrain(
    training: TrainingLoop, images: ImageSet, settings: ImageRunSettings, seed: int, **options: Any
) -> bool:
    """Train each layer by itself, if the settings say so, and give the whole their weights.

    Layer k is an autoencoder of one hidden layer on the codes of layer k - 1, corrupted as the
    images are (Vincent et al. 2010, section 3.5). Each has a run directory in `layers` of the
    run's, so that an interrupted training resumes. The options are those of
    `prepare_image_training`. Returns False if Ctrl-C ended it.
    """
    if not settings.objective.pretrain_epochs:
        return True
    layers = []
    for number, width in enumerate(_widths(settings), start=1):
        of_layer = settings.changed(
            units=(),
            code_size=width,
            loss="bernoulli",
            epochs=settings.objective.pretrain_epochs,
            pretrain_epochs=0,
        )
        options.get("report", print)(f"layer {number}: {images.shape} -> {width}")
        run = RunDirectory(training.run.path / "layers" / str(number))
        layer = prepare_image_training(run, images, of_layer, seed, **options)
        if not layer.fit():
            return False
        layers.append(layer.model)
        images = codes_as_images(layer.model.encoder, images)
    set_layers(training.model, layers)
    return True


def _widths(settings: ImageRunSettings) -> tuple[int, ...]:
    """Widths of the layers that are trained one by one."""
    return (*settings.model.units, settings.model.code_size)


def codes_as_images(encoder: keras.Model, images: ImageSet) -> ImageSet:
    """The codes of all images, on which the next layer is trained: (n, code_size), 0 to 1."""

    def encoded(split: ImageSplit) -> ImageSplit:
        return replace(split, images=outputs_of(encoder, images.pixels(split)))

    return replace(
        images,
        name=f"codes of {images.name}",
        train=encoded(images.train),
        validation=encoded(images.validation),
        test=encoded(images.test),
        maximum=1,
    )


def set_layers(model: Autoencoder, layers: list[Autoencoder]) -> None:
    """Put single-layer autoencoders, lowest first, into a deep one of the same widths."""
    encoders = [weight for layer in layers for weight in layer.encoder.get_weights()]
    decoders = [weight for layer in layers[::-1] for weight in layer.decoder.get_weights()]
    model.encoder.set_weights(encoders)
    model.decoder.set_weights(decoders)
