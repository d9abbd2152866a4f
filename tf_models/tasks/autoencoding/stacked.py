"""Training an autoencoder, of whose layers each may first be trained on the codes below it."""

import math
from dataclasses import replace
from pathlib import Path

import keras
import tensorflow as tf

from tf_models.autoencoders.autoencoder import Autoencoder
from tf_models.data.images.batches import INFERENCE_BATCH_SIZE
from tf_models.data.images.dataset import ImageSet
from tf_models.errors import InputError, Report
from tf_models.tasks.autoencoding.settings import ImageRunSettings
from tf_models.tasks.autoencoding.train import prepare_image_training
from tf_models.training.assembly import Training
from tf_models.training.distributed.workers import Workers
from tf_models.training.run_directory import RunDirectory


def train_autoencoder(
    run_dir: Path,
    images: ImageSet,
    settings: ImageRunSettings,
    seed: int,
    *,
    minutes: float = math.inf,
    strategy: tf.distribute.Strategy | None = None,
    report: Report = print,
) -> Training | None:
    """Train an autoencoder in a run directory: layer after layer first, if the settings say so.

    Args:
        run_dir: new, or of the same training before.
        minutes: begin no epoch after so much training.
        strategy: how to distribute; layers alone are trained on one device.

    Returns:
        the finished training, or None if Ctrl-C ended it.

    Raises:
        InputError: layers are to be trained on several machines, and see `prepare_image_training`.
    """
    if settings.objective.pretrain_epochs and strategy:
        if not Workers(strategy).alone:
            raise InputError("layer after layer is trained on one machine; unset TF_CONFIG")
        strategy = None
    run = RunDirectory(run_dir)
    training = prepare_image_training(run, images, settings, seed, strategy=strategy, report=report)
    report(f"model: {training.model.count_params():,} parameters; run directory {run_dir}")
    if not pretrain(training, images, seed, minutes=minutes, report=report):
        return None
    return training if training.fit(minutes) else None


def pretrain(
    training: Training,
    images: ImageSet,
    seed: int,
    *,
    minutes: float = math.inf,
    report: Report = print,
) -> bool:
    """Train each layer by itself, if the settings say so, and give the whole network their weights.

    Layer k is an autoencoder of one hidden layer on the codes of layer k - 1, corrupted as the
    images are (Vincent et al. 2010, section 3.5). Each has a run directory in `layers` of the
    run's, so that an interrupted training goes on exactly. A network that has begun to be trained
    as a whole stays as it is.

    Args:
        images, seed, report: see `train_autoencoder`.
        minutes: begin no epoch of a layer after so much training of it.

    Returns:
        False if Ctrl-C ended it.
    """
    settings = training.settings
    if not settings.objective.pretrain_epochs or training.run.has_checkpoints:
        return True
    widths = (*settings.model.units, settings.model.code_size)
    layers = []
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
        layer = prepare_image_training(run, images, of_layer, seed, report=report)
        if not layer.fit(minutes):
            return False
        layers.append(layer.model)
        images = codes_as_images(layer.model.encoder, images)
    set_layers(training.model, layers)
    return True


def codes_as_images(encoder: keras.Model, images: ImageSet) -> ImageSet:
    """The codes of all images, as what the next layer is trained on: (n, code_size), 0 to 1."""

    def encoded(split):
        codes = encoder.predict(images.pixels(split), batch_size=INFERENCE_BATCH_SIZE, verbose=0)
        return replace(split, images=codes)

    parts = {part: encoded(getattr(images, part)) for part in ("train", "validation", "test")}
    made_from = images.fingerprint()
    return replace(images, name=f"codes of {images.name}", **parts, maximum=1, made_from=made_from)


def set_layers(model: Autoencoder, layers: list[Autoencoder]) -> None:
    """Put single-layer autoencoders, lowest first, into a deep one of the same widths."""
    encoders = [weight for layer in layers for weight in layer.encoder.get_weights()]
    decoders = [weight for layer in layers[::-1] for weight in layer.decoder.get_weights()]
    model.encoder.set_weights(encoders)
    model.decoder.set_weights(decoders)
