"""Training on images in a run directory: what autoencoders and VAEs share."""

from collections.abc import Callable

import keras
import tensorflow as tf

from tf_models.autoencoders.autoencoder import ReconstructionLoss
from tf_models.autoencoders.hierarchical.model import HierarchicalVAE
from tf_models.data.images.batches import TRAINING, VALIDATION, ImageBatches
from tf_models.data.images.dataset import ImageSet
from tf_models.errors import InputError, Report
from tf_models.tasks.autoencoding.models import ImageModel, build_model
from tf_models.tasks.autoencoding.settings import ImageRunSettings
from tf_models.training.assembly import Preparation, Trainable, Training
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
    strategy: tf.distribute.Strategy | None = None,
    report: Report = print,
) -> Training:
    """Set up a run in its directory, or pick up the one that is there (see `Preparation`).

    Args:
        run, seed, strategy, report: see `Preparation`.
        images: training and validation images.
        start_from: a trained run whose best weights are the first ones of this one.

    Raises:
        InputError: the directory belongs to other settings, the images do not fit them, or the
            model to start from is another one or was trained on other images.
    """
    start = Preparation(run, settings, seed, strategy, report)
    batch_size = min(settings.training.batch_size, images.train.images.shape[0])
    start.share_cores(batch_size, IMAGES_IN_A_SHARD)
    inputs = settings.inputs
    batches, validation = (
        ImageBatches(
            split.images,
            images.maximum,
            settings.training.batch_size,
            seed,
            binarisation=inputs.binarisation,
            corruption=inputs.corruption,
            part=part,
        )
        for split, part in ((images.train, TRAINING), (images.validation, VALIDATION))
    )

    def make() -> Trainable:
        model = build_model(settings, images.shape, seed, len(batches))
        if start_from and not run.has_checkpoints:
            _take_weights(model, settings, images, seed, start_from)
        # Images may lie elsewhere: their fingerprint says whether they are the same.
        moved, first = ("data.source", "data.images"), start_from and str(start_from.path)
        with start.directory(settings.kind, _describe(images), *moved, start_from=first):
            pass  # nothing else lies in it
        return trainable(model, settings, len(batches))

    # A VAE draws samples to validate, the same ones however a batch is shared out.
    whole = {"shard_validation": not settings.is_generative}
    return start.assemble(batches, validation.in_order(), make, **whole)


def trainable(model: keras.Model, settings: ImageRunSettings, epoch_steps: int) -> Trainable:
    """A model compiled with the optimizer of its settings, and what training minimises."""
    steps = settings.training.epochs * epoch_steps
    if not settings.is_generative:
        loss = ReconstructionLoss(settings.objective.loss)
        model.compile(make_adam(settings.optimizer, steps), loss)
        return Trainable(model, model.optimizer, ReconstructionObjective(model, loss.call))
    hierarchical = isinstance(model, HierarchicalVAE)
    adam = (FusedAdamax, NVAE_EPSILON) if hierarchical else (FusedAdam, EPSILON)
    model.compile(make_adam(settings.optimizer, steps, adam[0], epsilon=adam[1]))
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
    model: keras.Model, settings: ImageRunSettings, images: ImageSet, seed: int, run: RunDirectory
) -> None:
    """Give the model of these settings the best weights of another run of it."""
    trained = ImageModel.load(run.path)
    its_seed = trained.config["seed"]
    if seed != its_seed and trained.changed(images):
        raise InputError(
            f"seed {seed} holds out images that {run.path} was trained on; pass --seed {its_seed}"
        )
    trained.check(images)
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
