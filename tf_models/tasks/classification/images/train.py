"""Training a classifier of images: from images and settings to a model in a run directory."""

from typing import Any

from tf_models.data.images.batches import LabelledBatches
from tf_models.data.images.dataset import ImageSet, show_shape
from tf_models.data.images.origin import KEPT_BYTES, describe
from tf_models.errors import InputError
from tf_models.tasks.classification.images.classifier import KIND, build_classifier
from tf_models.tasks.classification.images.settings import ImageClassifierSettings
from tf_models.tasks.classification.objective import ClassificationObjective
from tf_models.training.assembly import Preparation, Trainable, Training
from tf_models.training.optimizers import make_adam
from tf_models.training.run_directory import RunDirectory

IMAGES_IN_A_SHARD = 16  # at least; with fewer, its matrices are too small to be worth a core


def prepare_image_classifier_training(
    run: RunDirectory,
    images: ImageSet,
    settings: ImageClassifierSettings,
    seed: int,
    **options: Any,
) -> Training:
    """Set up a run in its directory, or pick up the one that is there (see `Preparation`).

    The best epoch is the one with the highest validation accuracy. Raises InputError: the directory
    belongs to other settings, or the images have no labels or do not fit the settings.
    """
    classes = [images.class_name(i) for i in range(images.number_of_classes("a classifier"))]
    start = Preparation(run, settings, seed, **options)
    training = settings.training
    start.share_cores(min(training.batch_size, len(images.train)), IMAGES_IN_A_SHARD)
    options_of_batches = images.maximum, training.batch_size, seed
    shift = settings.augmentation.shift
    if shift >= min(images.shape[:2]):  # nothing of the image would be left
        raise InputError(
            "shift must be less than height and width of the images; "
            f"received shift={shift}, images of {show_shape(images.shape)}"
        )
    batches = LabelledBatches(images.train, *options_of_batches, shift=shift)
    validation = LabelledBatches(images.validation, *options_of_batches)

    def make() -> Trainable:
        model = build_classifier(settings, images.shape, len(classes))
        data = {**describe(images), "classes": classes}
        # Images may lie elsewhere.
        with start.directory(KIND, data, "data.source", "data.images"):
            if start.run.writes:
                images.save(start.run.images_file, KEPT_BYTES)
        optimizer = make_adam(settings.optimizer, training.epochs * len(batches), start.fraction)
        return Trainable(model, optimizer, ClassificationObjective(model, "images"))

    return start.assemble(batches, validation.in_order(), make, better_by="accuracy")
