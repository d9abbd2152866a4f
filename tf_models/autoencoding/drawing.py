"""Figures of autoencoders and VAEs; `figures` names them."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf
from matplotlib.figure import Figure
from sklearn.decomposition import PCA

from tf_models.autoencoding.evaluate import roc, sharpness
from tf_models.autoencoding.interpolation import METHODS, interpolate
from tf_models.autoencoding.model import ImageModel, ImageRuns, reconstruction_errors
from tf_models.autoencoding.pca import compare_with_pca
from tf_models.data.images.batches import corrupt
from tf_models.data.images.corruption import Corruption
from tf_models.data.images.dataset import ImageSet
from tf_models.errors import InputError
from tf_models.plotting.image_grid import plot_image_grid
from tf_models.plotting.lines import plot_lines, plot_training_curves
from tf_models.plotting.number_grid import plot_codes
from tf_models.plotting.points import plot_latent_space

COUNT, SAMPLES = 10, 100  # images by default
MOST_COLUMNS = 15  # of images that stand beside each other
STEPS = 10
REACH = 2.5  # standard deviations to either side, in a traversal
MAX_POINTS = 5000
DEFAULT_CLASSES = ("0", "7")  # lecture 7's
DEFAULT_CORRUPTION = Corruption(masking_noise=0.3)
SAMPLE_ROWS, SAMPLE_COLUMNS, MEASURED = 3, 12, 1000  # of sharpness
REAL = "test images"


def load(
    run_dirs: Sequence[Path],
    checkpoint: str | None,
    names: Sequence[str],
    *,
    dataset: str | None = None,
    data_dir: Path | None = None,
) -> ImageRuns:
    """Trained models by name, and images: of a data set, or those that the first run keeps."""
    models = [ImageModel.load(path, checkpoint) for path in run_dirs]
    first = models[0]
    images = first.origin.load(dataset, data_dir) if dataset else first.origin.load_kept(data_dir)
    return ImageRuns(dict(zip(names, models, strict=True)), images)


def draw_reconstructions(runs: ImageRuns, *, count: int = COUNT) -> Figure:
    """Test images, and what comes back."""
    shown = runs.tests[:count]
    back = runs.model.reconstruct(shown, runs.labels)
    return _plot_rows({"image": shown, "reconstruction": back}, "reconstructions")


def draw_denoising(runs: ImageRuns, *, count: int = COUNT, seed: int = 0) -> Figure:
    """Clean, noisy and restored images; the noise is that of training, or else masking noise."""
    clean = runs.tests[:count]
    corruption = runs.model.settings.inputs.corruption or DEFAULT_CORRUPTION
    noisy = corrupt(tf.constant(clean), corruption, tf.constant([seed, 0])).numpy()
    restored = runs.model.reconstruct(noisy, runs.labels)
    title = (
        f"denoising (masking noise {corruption.masking_noise:g}, "
        f"Gaussian noise std {corruption.gaussian_noise_std:g})"
    )
    return _plot_rows({"clean": clean, "noisy": noisy, "restored": restored}, title)


def draw_samples(
    runs: ImageRuns, *, count: int = SAMPLES, temperature: float = 1.0, seed: int = 0
) -> Figure:
    """New images, in as many columns as rows or one more."""
    samples = runs.model.generate(count, temperature, seed)
    columns = math.ceil(math.sqrt(count))
    grid = _in_rows(samples, math.ceil(count / columns), columns)
    return plot_image_grid(grid, title=f"samples at temperature {temperature:g}")


def draw_classes(
    runs: ImageRuns, *, count: int = COUNT, temperature: float = 1.0, seed: int = 0
) -> Figure:
    """A row for each class, a column for each z: what a conditional model makes of both."""
    vae, classes = runs.model.model, range(runs.model.model.classes)
    latents = vae.encoder.outputs[0].shape[1]
    z = np.float32(temperature * np.random.default_rng(seed).normal(size=(count, latents)))
    return plot_image_grid(
        np.stack([vae.decode(z, np.full(count, number)) for number in classes]),
        row_names=[runs.images.class_name(number) for number in classes],
        column_names=[f"z {number}" for number in range(1, count + 1)],
        title="a class in each row, the same z in each column",
    )


def draw_sharpness(runs: ImageRuns, *, temperature: float = 1.0, seed: int = 0) -> Figure:
    """Test images and samples of each model, with their sharpness as a share of the images'."""
    sets = {REAL: runs.tests[:MEASURED]}
    for name, model in runs.models.items():
        sets[name] = model.generate(MEASURED, temperature, seed)
    if len({shown.shape[1:] for shown in sets.values()}) > 1:
        raise InputError("the runs must be of images of one size and depth")
    real, grids, names = sharpness(sets[REAL]), [], []
    for name, shown in sets.items():
        grids.append(_in_rows(shown, SAMPLE_ROWS, SAMPLE_COLUMNS))
        label = f"{name}\nsharpness {sharpness(shown) / real:.2f}"
        names += ["", label, *[""] * (SAMPLE_ROWS - 2)]
    return plot_image_grid(np.concatenate(grids), row_names=names, title="real and sampled")


def draw_traversal(runs: ImageRuns, *, count: int = COUNT) -> Figure:
    """Each row moves one latent, those first that say most about the images."""
    model = runs.model
    codes = model.encode(runs.tests[:MAX_POINTS])
    spread = codes.std(axis=0)
    most_active = np.argsort(-spread)[:count]
    reach = np.linspace(-REACH, REACH, STEPS)
    rows = np.tile(codes.mean(axis=0), (len(most_active), STEPS, 1))  # (rows, STEPS, code_size)
    for row, latent in enumerate(most_active):
        rows[row, :, latent] += reach * max(float(model.is_generative), spread[latent])
    decoded = model.decode(rows.reshape(-1, codes.shape[1]))
    return plot_image_grid(
        decoded.reshape(len(most_active), STEPS, *decoded.shape[1:]),
        row_names=[f"z {latent + 1}" for latent in most_active],
        column_names=[f"{r:+.1f}" for r in reach],
        title="one latent moves, the others keep their mean; on top those that vary most",
    )


def draw_interpolation(
    runs: ImageRuns, *, count: int = COUNT, classes: tuple[str, str] | None = None
) -> Figure:
    """Lecture 7's image fading, in code space and in pixel space."""
    model, steps = runs.model, count
    names = classes or default_classes(runs.images)
    ends = np.stack([_first_of_class(runs.images, name) for name in names])
    codes, rows = model.encode(ends), {}
    for method in ("linear", "cubic"):
        rows[f"{method}, codes"] = model.decode(interpolate(codes[0], codes[1], steps, method))
    for method in METHODS:
        rows[f"{method}, pixels"] = interpolate(ends[0], ends[1], steps, method)
    return _plot_rows(rows, f"from {names[0]} to {names[1]}, codes of {codes.shape[1]}")


def draw_latent_space(runs: ImageRuns) -> Figure:
    """Codes as points, beside as many principal components of the pixels: two numbers an image. Of
    codes with more than two numbers the first two components are drawn.
    """
    tests, labels = runs.tests[:MAX_POINTS], runs.images.test.labels
    codes, train = runs.model.encode(tests), runs.images.pixels(runs.images.train)
    flat, flat_train = tests.reshape(len(tests), -1), train.reshape(len(train), -1)
    title = f"codes of {codes.shape[1]} numbers"
    if codes.shape[1] > 2:
        pca = PCA(2).fit(codes)
        codes, share = pca.transform(codes), pca.explained_variance_ratio_.sum()
        title += f", two components ({share:.0%} of the variance)"
    pca = PCA(2).fit(flat_train)
    share = pca.explained_variance_ratio_.sum()
    return plot_latent_space(
        {title: codes, f"pixels, two components ({share:.0%})": pca.transform(flat)},
        None if labels is None else labels[:MAX_POINTS],
        class_name=runs.images.class_name,
        axis_names=("first number", "second number"),
        title=f"{len(tests)} test images in two numbers: {runs.model.settings.variant} and PCA",
    )


def draw_codes(runs: ImageRuns, *, count: int = COUNT) -> Figure:
    """Codes as rows of shades."""
    codes = runs.model.encode(runs.tests[:count])
    title = f"codes of {len(codes)} test images"
    if runs.labels is None:
        names = [str(number + 1) for number in range(len(codes))]
        return plot_codes(codes, names, row_word="image", title=title)
    names = [runs.images.class_name(number) for number in runs.labels[:count]]
    return plot_codes(codes, names, row_word="class", title=title)


def draw_pca(runs: ImageRuns, *, count: int = COUNT) -> Figure:
    """Reconstructions of a linear autoencoder beside those of as many principal components."""
    comparison = compare_with_pca(runs.model, runs.images)
    rows = {
        "image": runs.tests[:count],
        "linear autoencoder": comparison.reconstructions[:count],
        "PCA": comparison.pca_reconstructions[:count],
    }
    return _plot_rows(rows, str(comparison))


def draw_roc(runs: ImageRuns) -> Figure:
    """True against false positive rate, if a greater error is taken for an anomaly."""
    number: Any = runs.model.origin.left_out_class
    errors = reconstruction_errors(runs.tests, runs.model.reconstruct(runs.tests))
    false, true, area = roc(errors, runs.labels == number)
    name = runs.images.class_name(number)
    return plot_lines(
        {f"area {area:.3f}": (false, true)},
        axis_names=("other classes taken for anomalies", f"images of class {name} found"),
        title=f"class {name} was never trained on: found by its reconstruction error",
        diagonal=True,
    )


def draw_training(runs: ImageRuns) -> Figure:
    """Loss, and of a VAE its two terms, over the epochs."""
    return plot_training_curves(runs.model.history.columns())


def default_classes(images: ImageSet) -> tuple[str, str]:
    """Two classes to interpolate between."""
    known = list(images.classes(images.test))
    return DEFAULT_CLASSES if set(DEFAULT_CLASSES) <= set(known) else (known[0], known[-1])


def _first_of_class(images: ImageSet, name: str) -> np.ndarray:
    known = images.classes(images.test)
    if name not in known:
        received = f"({', '.join(known)}); received {name!r}"
        raise InputError(f"--classes must name classes of the test images {received}")
    return images.pixels(images.test)[np.argmax(images.test.labels == known[name])]


def _plot_rows(rows: Mapping[str, np.ndarray], title: str) -> Figure:
    """Rows of images (n, height, width, channels) by their names, in blocks that fit a page."""
    count = len(next(iter(rows.values())))
    blocks = math.ceil(count / MOST_COLUMNS)
    columns = math.ceil(count / blocks)  # blocks of like width
    grids = [_in_rows(one, blocks, columns) for one in rows.values()]
    images = np.stack(grids, axis=1).reshape(-1, *grids[0].shape[1:])  # (blocks * rows, columns, …)
    return plot_image_grid(images, row_names=[*rows] * blocks, title=title)


def _in_rows(images: np.ndarray, rows: int, columns: int) -> np.ndarray:
    """The first of (n, …) as (rows, columns, …), with NaN in places that are left over."""
    grid = np.full((rows * columns, *images.shape[1:]), np.nan, np.float32)
    shown = images[: len(grid)]
    grid[: len(shown)] = shown
    return grid.reshape(rows, columns, *images.shape[1:])
