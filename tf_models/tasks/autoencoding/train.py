"""Training on images in a run directory: autoencoders, layer after layer if need be, and VAEs."""

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from tf_models.autoencoders.autoencoder import Autoencoder, ReconstructionLoss
from tf_models.autoencoders.hierarchical.model import HierarchicalVAE
from tf_models.data.images.batches import INFERENCE_BATCH_SIZE, TRAINING, VALIDATION, ImageBatches
from tf_models.data.images.dataset import ImageSet, ImageSplit
from tf_models.data.images.origin import KEPT_BYTES, describe
from tf_models.errors import InputError, Report
from tf_models.tasks.autoencoding.models import ImageModel, build_model
from tf_models.tasks.autoencoding.settings import ImageRunSettings
from tf_models.training.assembly import Preparation, Trainable, Training
from tf_models.training.distributed.workers import Workers
from tf_models.training.optimizers import FusedAdam, FusedAdamax, make_adam
from tf_models.training.run_directory import RunDirectory
from tf_models.training.train_step import BatchSums, SummedLossObjective

IMAGES_IN_A_SHARD = 16  # at least; with fewer, its matrices are too small to be worth a core
NVAE_EPSILON = 1e-3  # of Adamax, as NVAE's authors have it
EPSILON = 1e-7  # of Adam, Keras' own


def prepare_image_training(
    run: RunDirectory,
    images: ImageSet,
    settings: ImageRunSettings,
    seed: int,
    *,
    start_from: RunDirectory | None = None,
    **options: Any,
) -> Training:
    """Set up a run in its directory, or pick up the one that is there (see `Preparation`), for
    training and validation images.

    The best weights of the trained run `start_from` are the first ones of this one. Raises
    InputError: the directory belongs to other settings, the images do not fit them, or the model to
    start from is another one or was trained on other images.
    """
    start = Preparation(run, settings, seed, **options)
    batch_size = min(settings.training.batch_size, images.train.images.shape[0])
    start.share_cores(batch_size, IMAGES_IN_A_SHARD)
    inputs, classes = settings.inputs, None
    data = describe(images)
    if settings.is_conditional:
        data["classes"] = classes = images.number_of_classes("a conditional model")
    batches, validation = (
        ImageBatches(
            split.images,
            images.maximum,
            settings.training.batch_size,
            seed,
            binarisation=inputs.binarisation,
            corruption=inputs.corruption,
            part=part,
            labels=split.labels if settings.is_conditional else None,
        )
        for split, part in ((images.train, TRAINING), (images.validation, VALIDATION))
    )

    def make() -> Trainable:
        model = build_model(settings, images.shape, seed, len(batches), classes)
        if start_from and not run.has_checkpoints:
            _take_weights(model, settings, images, start_from)
        # Images may lie elsewhere.
        moved, first = ("data.source", "data.images"), start_from and str(start_from.path)
        with start.directory(settings.kind, data, *moved, start_from=first):
            if start.run.writes and images.train.images.dtype == np.uint8:  # no codes of a layer
                most = None if settings.is_linear else KEPT_BYTES  # PCA is fitted to all
                images.save(start.run.images_file, most)
        return trainable(model, settings, len(batches), start.fraction)

    # A VAE draws samples to validate, the same ones however a batch is shared out.
    whole = settings.is_generative
    return start.assemble(batches, validation.in_order(), make, shard_validation=not whole)


def trainable(
    model: keras.Model,
    settings: ImageRunSettings,
    epoch_steps: int,
    fraction: tf.Variable | None = None,
) -> Trainable:
    """A model compiled with the optimizer of its settings, and what training minimises; for the
    fraction see `Preparation`.
    """
    steps = settings.training.epochs * epoch_steps
    if not settings.is_generative:
        loss = ReconstructionLoss(settings.objective.loss)
        model.compile(make_adam(settings.optimizer, steps, fraction), loss)
        return Trainable(model, model.optimizer, ReconstructionObjective(model, loss.call))
    hierarchical = isinstance(model, HierarchicalVAE)
    adam = (FusedAdamax, NVAE_EPSILON) if hierarchical else (FusedAdam, EPSILON)
    model.compile(make_adam(settings.optimizer, steps, fraction, adam[0], epsilon=adam[1]))
    return Trainable(model, model.optimizer, SummedLossObjective(model, "images"))


class ReconstructionObjective:
    """A loss between what an autoencoder returns and what it should, summed over the images.

    Args:
        model: x -> x^.
        loss: (target, x^) -> the loss of each image, (batch,).
    """

    unit = "images"
    names = ("loss",)

    def __init__(self, model: keras.Model, loss: Callable[[tf.Tensor, tf.Tensor], tf.Tensor]):
        self._model, self._loss = model, loss

    def count(self, x: tf.Tensor, target: tf.Tensor) -> tf.Tensor:
        """Images in a batch: a scalar, float32."""
        return tf.cast(tf.shape(x)[0], tf.float32)

    def sums(self, x: tf.Tensor, target: tf.Tensor, training: bool) -> BatchSums:
        """Of images as the encoder sees them, and as they should come back."""
        loss = tf.reduce_sum(self._loss(target, self._model(x, training=training)))
        return BatchSums(loss, {"loss": loss})


def _take_weights(
    model: keras.Model, settings: ImageRunSettings, images: ImageSet, run: RunDirectory
) -> None:
    """Give the model of these settings the best weights of another run of it."""
    trained = ImageModel.load(run.path)
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
) -> Training | None:
    """Train an autoencoder in a run directory: layer after layer first, if the settings say so.

    It takes so many minutes; layers that are trained alone, and the whole, have equal parts of
    them. Layers alone are trained on one device, whatever the strategy. Returns the finished
    training, or None if Ctrl-C ended it. Raises InputError: layers are to be trained on several
    machines, and see `prepare_image_training`.
    """
    if settings.objective.pretrain_epochs and strategy:
        if not Workers(strategy).alone:
            raise InputError("layer after layer is trained on one machine; unset TF_CONFIG")
        strategy = None
    if settings.objective.pretrain_epochs:
        minutes /= len(_widths(settings)) + 1
    options: dict[str, Any] = {"strategy": strategy, "minutes": minutes, "report": report}
    training = prepare_image_training(RunDirectory(run_dir), images, settings, seed, **options)
    report(f"model: {training.model.count_params():,} parameters; run directory {run_dir}")
    if not pretrain(training, images, seed, minutes=minutes, report=report):
        return None
    return training if training.fit() else None


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
    as a whole stays as it is. Each layer has so many `minutes`. Returns False if Ctrl-C ended it.
    """
    settings = training.settings
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
        options: dict[str, Any] = {"minutes": minutes, "report": report}
        layer = prepare_image_training(run, images, of_layer, seed, **options)
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
    return replace(images, name=f"codes of {images.name}", **parts, maximum=1)


def set_layers(model: Autoencoder, layers: list[Autoencoder]) -> None:
    """Put single-layer autoencoders, lowest first, into a deep one of the same widths."""
    encoders = [weight for layer in layers for weight in layer.encoder.get_weights()]
    decoders = [weight for layer in layers[::-1] for weight in layer.decoder.get_weights()]
    model.encoder.set_weights(encoders)
    model.decoder.set_weights(decoders)
