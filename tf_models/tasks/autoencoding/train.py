"""Training on images in a run directory: autoencoders, layer after layer if need be, and VAEs."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import keras
import tensorflow as tf

from tf_models.autoencoders.autoencoder import Autoencoder
from tf_models.autoencoders.hierarchical.model import HierarchicalVAE
from tf_models.data.images.batches import INFERENCE_BATCH_SIZE, TRAINING, VALIDATION, ImageBatches
from tf_models.data.images.dataset import ImageSet, ImageSplit
from tf_models.data.images.origin import KEPT_BYTES, describe
from tf_models.errors import InputError, Report
from tf_models.tasks.autoencoding.models import ImageModel, build_model
from tf_models.tasks.autoencoding.settings import ImageRunSettings
from tf_models.training.loop import TrainingLoop
from tf_models.training.optimizers import make_adam, time_fraction
from tf_models.training.run_directory import RunDirectory
from tf_models.training.strategy import prepare_devices

IMAGES_IN_A_SHARD = 16  # at least; with fewer, its matrices are too small to be worth a core
NVAE_EPSILON = 1e-3  # of Adamax, as NVAE's authors have it


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
        minutes: of training, in place of a number of epochs.
        strategy: of the devices.
        report: takes the lines that are shown.

    Raises:
        InputError: the directory belongs to another training, or images, settings and `start_from`
            do not fit each other.
    """
    data, classes = describe(images), None
    if settings.is_conditional:
        data["classes"] = classes = images.number_of_classes("a conditional model")
    first = start_from and str(start_from.path)
    run.prepare(settings.kind, settings, data, seed, minutes, start_from=first)
    images.save(run.images_file, None if settings.is_linear else KEPT_BYTES)  # PCA needs all
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
            _take_weights(model, settings, images, seed, start_from)
        model.num_shards = shards
        model.compile(make_optimizer(model, settings, len(batches), fraction))
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


def make_optimizer(
    model: keras.Model,
    settings: ImageRunSettings,
    epoch_steps: int,
    fraction: tf.Variable | None = None,
) -> keras.optimizers.Optimizer:
    """Adam, or NVAE's Adamax, with the schedule of the settings."""
    steps = settings.training.epochs * epoch_steps
    if not isinstance(model, HierarchicalVAE):
        return make_adam(settings.optimizer, steps, fraction)
    adamax = keras.optimizers.Adamax
    return make_adam(settings.optimizer, steps, fraction, adamax, epsilon=NVAE_EPSILON)


def _take_weights(
    model: keras.Model, settings: ImageRunSettings, images: ImageSet, seed: int, run: RunDirectory
) -> None:
    """Give the model of these settings the best weights of another run of it."""
    trained = ImageModel.load(run.path)
    its_seed = trained.config["seed"]
    if seed != its_seed and trained.origin.changed(images):
        raise InputError(
            f"seed {seed} holds out images that {run.path} was trained on; pass --seed {its_seed}"
        )
    trained.origin.check(images)
    its_values = _what_weights_depend_on(trained.settings)
    for name, here in _what_weights_depend_on(settings).items():
        if its_values[name] != here:
            raise InputError(
                f"{run.path} holds another model: its {name} is {its_values[name]!r}, and here it "
                f"is {here!r}"
            )
    model.set_weights(trained.model.get_weights())


def _what_weights_depend_on(settings: ImageRunSettings) -> dict:
    """The model, and the KL term's weight: other weights are best for another one."""
    beta = getattr(settings.objective, "beta", None)
    return {"variant": settings.variant, **settings.model.flat(), "beta": beta}


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
    if not pretrain(training, images, settings, seed, **options):
        return None
    return training if training.fit() else None


def pretrain(
    training: TrainingLoop,
    images: ImageSet,
    settings: ImageRunSettings,
    seed: int,
    *,
    minutes: float = math.inf,
    report: Report = print,
) -> bool:
    """Train each layer by itself, if the settings say so, and give the whole network their weights.

    Layer k is an autoencoder of one hidden layer on the codes of layer k - 1, corrupted as the
    images are (Vincent et al. 2010, section 3.5). Each has a run directory in `layers` of the
    run's, so that an interrupted training resumes. A network that has begun to be trained as a
    whole stays as it is. Each layer has so many `minutes`. Returns False if Ctrl-C ended it.
    """
    if not settings.objective.pretrain_epochs or training.run.has_checkpoints:
        return True
    widths, layers = _widths(settings), []
    for number, width in enumerate(widths, start=1):
        report(f"layer {number} of {len(widths)}: {images.shape} -> {width}")
        of_layer = settings.changed(
            units=(),
            code_size=width,
            loss="bernoulli",
            epochs=settings.objective.pretrain_epochs,
            pretrain_epochs=0,
        )
        run = RunDirectory(training.run.path / "layers" / str(number))
        layer = prepare_image_training(run, images, of_layer, seed, minutes=minutes, report=report)
        if not layer.fit():
            return False
        layers.append(layer.model)
        images = codes_as_images(layer.model.encoder, images)
    set_layers(training.model, layers)
    return True


def _widths(settings: ImageRunSettings) -> tuple[int, ...]:
    """Of the layers that are trained one by one."""
    return (*settings.model.units, settings.model.code_size)


def codes_as_images(encoder: keras.Model, images: ImageSet) -> ImageSet:
    """The codes of all images, as what the next layer is trained on: (n, code_size), 0 to 1."""

    def encoded(split: ImageSplit) -> ImageSplit:
        codes = encoder.predict(images.pixels(split), batch_size=INFERENCE_BATCH_SIZE, verbose=0)
        return replace(split, images=codes)

    parts: dict[str, Any] = {
        part: encoded(getattr(images, part)) for part in ("train", "validation", "test")
    }
    made_from = images.fingerprint()
    return replace(images, name=f"codes of {images.name}", **parts, maximum=1, made_from=made_from)


def set_layers(model: Autoencoder, layers: list[Autoencoder]) -> None:
    """Put single-layer autoencoders, lowest first, into a deep one of the same widths."""
    encoders = [weight for layer in layers for weight in layer.encoder.get_weights()]
    decoders = [weight for layer in layers[::-1] for weight in layer.decoder.get_weights()]
    model.encoder.set_weights(encoders)
    model.decoder.set_weights(decoders)
