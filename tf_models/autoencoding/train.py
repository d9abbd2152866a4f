"""Training on images in a run directory: (stacked) autoencoders and VAEs."""

import math
from dataclasses import replace
from typing import Any

import keras

from tf_models.autoencoders.autoencoder import Autoencoder
from tf_models.autoencoding.evaluate import report_errors, report_likelihood
from tf_models.autoencoding.model import ImageModel, build_model, outputs_of
from tf_models.autoencoding.settings import ImageRunSettings
from tf_models.data.image_batches import TRAINING, VALIDATION, ImageBatches
from tf_models.data.images import KEPT_BYTES, ImageSet, ImageSplit, load_images
from tf_models.errors import InputError, Report, StrPath
from tf_models.plotting.files import save_figures
from tf_models.plotting.images import in_rows, plot_image_grid, plot_image_rows
from tf_models.plotting.lines import plot_training_curves
from tf_models.training.devices import EXAMPLES_IN_A_SHARD, device_scope
from tf_models.training.image_origin import describe
from tf_models.training.loop import TrainingLoop
from tf_models.training.optimizers import make_adam
from tf_models.training.run_directory import RunDirectory

ADAMAX = {"adam": keras.optimizers.Adamax, "epsilon": 1e-3}  # as NVAE's authors
SAMPLES, TEST_IMAGES = 100, 500  # numbers for the short test at the end of a VAE's training
SHOWN = 10  # number of test images in the figure of reconstructions


def train_image_model(
    run_dir: StrPath,
    data: ImageSet | StrPath,
    settings: ImageRunSettings,
    seed: int = 0,
    *,
    start_from: StrPath | None = None,
    minutes: float = math.inf,
    evaluates: bool = True,
    report: Report = print,
) -> TrainingLoop:
    """Train an autoencoder or a VAE, resuming at its run's latest checkpoint.

    Args:
        run_dir: the run directory, new or of an interrupted training.
        data: training, validation and test images, or a name that `load_images` takes.
        settings: of model and training.
        seed: of weights, noise and order.
        start_from: run directory of the same model, whose best weights are the initial ones.
        minutes: limit of the training, in place of epochs; layers that are trained alone, and the
            whole, have equal parts of them.
        evaluates: True to measure the test images and draw figures at the end.
        report: takes the lines that are shown.

    Raises:
        InputError: the directory belongs to another training, or images, settings and `start_from`
            do not fit each other.
        TrainingInterrupted: a signal ended it, and what is done is saved.
    """
    run, layer_widths = RunDirectory(run_dir), pretrained_widths(settings)
    images = data if isinstance(data, ImageSet) else load_images(data, seed=seed)
    settings = settings.fitted(len(images.train))
    minutes /= len(layer_widths) + 1
    report(images.describe())
    description, classes = describe(images), 0
    if settings.is_conditional:
        description["classes"] = classes = images.number_of_classes("a conditional model")
    batch_size = min(settings.training.batch_size, len(images.train))
    # Batch normalisation is of a whole batch: the number of cores must not decide what is learnt.
    is_hierarchical = settings.variant == "hierarchical"
    shard_images = batch_size if is_hierarchical else EXAMPLES_IN_A_SHARD
    with device_scope(seed, batch_size, shard_images) as shards:
        batches = make_batches(images, images.train, settings, seed, TRAINING)
        validation = make_batches(images, images.validation, settings, seed, VALIDATION)
        model = build_model(settings, images.shape, seed, len(batches), classes)
        if start_from and not run.has_checkpoints:
            model.set_weights(_weights_of(start_from, settings, images))
        model.num_shards = shards
        steps = settings.training.epochs * len(batches)
        options = ADAMAX if is_hierarchical else {}
        model.compile(make_adam(settings.optimizer, steps, minutes, **options))

    run.prepare(
        "vae" if settings.is_generative else "autoencoder",
        settings,
        description,
        seed,
        minutes,
        start_from=start_from and str(start_from),
    )
    images.save(run.images_file, None if settings.is_linear else KEPT_BYTES)  # PCA needs all
    if layer_widths and not run.has_checkpoints:
        set_layers(model, pretrain(run, images, settings, seed, minutes, report))
    loop = TrainingLoop(
        run,
        model,
        batches,
        validation.in_order(),
        epochs=settings.training.epochs,
        minutes=minutes,
        report=report,
    )
    report(settings.length(len(images.train), "image", len(batches), minutes))
    loop.fit()
    if evaluates and loop.is_chief:
        trained = ImageModel.load(run_dir)
        report(f"\ntest images (again, or more: tf-models evaluate --run-dir {run_dir}):")
        if settings.is_generative:
            report_likelihood(
                trained, images, report, importance_samples=SAMPLES, max_images=TEST_IMAGES
            )
        else:
            report_errors(trained, images, report)
        draw_figures(loop, trained, images, report)
    return loop


def make_batches(
    images: ImageSet, split: ImageSplit, settings: ImageRunSettings, seed: int, part: int
) -> ImageBatches:
    """Batches of a split as the settings say (`part`: see `ImageBatches`)."""
    return ImageBatches(
        split.images,
        images.maximum,
        settings.training.batch_size,
        seed,
        binarisation=settings.inputs.binarisation,
        corruption=settings.inputs.corruption,
        part=part,
        labels=split.labels if settings.is_conditional else None,
    )


def _weights_of(run_dir: StrPath, settings: ImageRunSettings, images: ImageSet) -> list:
    trained = ImageModel.load(run_dir)
    trained.origin.check(images)
    if (trained.settings.variant, trained.settings.model) != (settings.variant, settings.model):
        raise InputError(f"{run_dir} holds another model; repeat the options of its model")
    return trained.model.get_weights()


def draw_figures(loop: TrainingLoop, model: ImageModel, images: ImageSet, report: Report) -> None:
    """Save figures in the run: curves, reconstructions, samples of a VAE."""
    tests = images.test[:SHOWN]
    pixels = images.pixels(tests)
    rows = {"image": pixels, "reconstruction": model.reconstruct(pixels, tests.labels)}
    figures = {"reconstructions": plot_image_rows(rows, "reconstructions")}
    if model.is_generative:
        samples = in_rows(model.generate(SAMPLES), 10, 10)
        figures["samples"] = plot_image_grid(samples, title="samples at temperature 1")
    figures["training"] = plot_training_curves(loop.history.columns())
    save_figures(figures, loop.run.figures, report)


def pretrain(
    run: RunDirectory,
    images: ImageSet,
    settings: ImageRunSettings,
    seed: int,
    minutes: float,
    report: Report,
) -> list[Autoencoder]:
    """Train single-layer autoencoders, lowest first, for `minutes` each.

    Layer k learns the codes of layer k - 1, corrupted as the images are (Vincent et al. 2010,
    section 3.5). Each has a run directory in `layers` of the run's, so that an interrupted training
    resumes.
    """
    layers = []
    for number, width in enumerate(pretrained_widths(settings), start=1):
        epochs = {"epochs": settings.objective.pretrain_epochs, "pretrain_epochs": 0}
        layer_settings = settings.changed(units=(), code_size=width, loss="bernoulli", **epochs)
        report(f"layer {number}: {images.shape} -> {width}")
        loop = train_image_model(
            run.path / "layers" / str(number),
            images,
            layer_settings,
            seed,
            minutes=minutes,
            evaluates=False,
            report=report,
        )
        layer = loop.model
        images = codes_as_images(layer.encoder, images)
        layers.append(layer)
    return layers


def pretrained_widths(settings: ImageRunSettings) -> tuple[int, ...]:
    """Widths of the layers to pretrain one by one, lowest first."""
    if settings.is_generative or not settings.objective.pretrain_epochs:
        return ()
    return (*settings.model.units, settings.model.code_size)


def codes_as_images(encoder: keras.Model, images: ImageSet) -> ImageSet:
    """Codes of all images, (n, code_size), 0 to 1, to train the next layer on."""
    splits: dict[str, Any] = {
        name: replace(split, images=outputs_of(encoder, images.pixels(split)))
        for name, split in vars(images).items()
        if isinstance(split, ImageSplit)
    }
    return replace(images, name=f"codes of {images.name}", maximum=1, **splits)


def set_layers(model: Autoencoder, layers: list[Autoencoder]) -> None:
    """Copy weights of single-layer autoencoders, lowest first, to a deep one."""
    encoders = [weight for layer in layers for weight in layer.encoder.get_weights()]
    decoders = [weight for layer in layers[::-1] for weight in layer.decoder.get_weights()]
    model.encoder.set_weights(encoders)
    model.decoder.set_weights(decoders)
