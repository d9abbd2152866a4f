"""Figures of autoencoders and VAEs: reconstructions, samples and codes."""

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf
from matplotlib.figure import Figure
from scipy.ndimage import laplace
from sklearn.decomposition import PCA
from sklearn.metrics import auc, roc_curve

from tf_models.autoencoding.evaluate import compare_with_pca
from tf_models.autoencoding.interpolation import METHODS, interpolate
from tf_models.autoencoding.model import READY_MADE_RUNS, ImageModel, reconstruction_errors
from tf_models.autoencoding.settings import preset
from tf_models.data.image_batches import corrupt
from tf_models.data.images import Corruption, ImageSet
from tf_models.errors import InputError
from tf_models.plotting.diagram import plot_diagram
from tf_models.plotting.images import in_rows, plot_image_grid, plot_image_rows
from tf_models.plotting.lines import plot_lines
from tf_models.plotting.points import plot_latent_space

COUNT = 10  # images in a row by default
SAMPLES = 100  # generated images by default
STEPS = 10  # images in a row of a traversal
REACH = 2.5  # standard deviations that a traversal goes to either side
MAX_POINTS = 5000
DEFAULT_CLASSES = ("0", "7")  # lecture 7's
DEFAULT_CORRUPTION = Corruption(masking_noise=0.3)
SAMPLE_ROWS, SAMPLE_COLUMNS = 3, 12  # images of each model beside its sharpness
MEASURED = 1000  # images by which sharpness is measured
REAL = "test images"
MNIST_PIXELS = 28 * 28


class ImageRuns(NamedTuple):
    """Trained models by name, and images to show them."""

    models: Mapping[str, ImageModel]
    images: ImageSet

    @property
    def model(self) -> ImageModel:
        """The first model; most figures show one."""
        return next(iter(self.models.values()))

    @property
    def tests(self) -> np.ndarray:
        """Pixels of the test images, (n, height, width, channels)."""
        return self.images.pixels(self.images.test)


def draw_reconstructions(runs: ImageRuns, *, count: int = COUNT) -> Figure:
    """Test images and their reconstructions."""
    tests = runs.tests[:count]
    reconstructions = runs.model.reconstruct(tests, runs.images.test.labels)
    return plot_image_rows({"image": tests, "reconstruction": reconstructions}, "reconstructions")


def draw_denoising(runs: ImageRuns, *, count: int = COUNT, seed: int = 0) -> Figure:
    """Clean, noisy and restored images; noise as in training, else masking."""
    clean = runs.tests[:count]
    corruption = runs.model.settings.inputs.corruption
    corruption = DEFAULT_CORRUPTION if corruption == Corruption() else corruption
    noisy = corrupt(tf.constant(clean), corruption, tf.constant([seed, 0])).numpy()
    restored = runs.model.reconstruct(noisy, runs.images.test.labels)
    kinds = {
        "masking noise": corruption.masking_noise,
        "Gaussian noise, std": corruption.gaussian_noise_std,
    }
    title = ", ".join(f"{name} {value:g}" for name, value in kinds.items() if value)
    rows = {"clean": clean, "noisy": noisy, "restored": restored}
    return plot_image_rows(rows, f"denoising: {title}")


def draw_samples(
    runs: ImageRuns, *, count: int = SAMPLES, temperature: float = 1.0, seed: int = 0
) -> Figure:
    """New images, in as many columns as rows or one more."""
    samples = runs.model.generate(count, temperature, seed)
    columns = math.ceil(math.sqrt(count))
    grid = in_rows(samples, math.ceil(count / columns), columns)
    return plot_image_grid(grid, title=f"samples at temperature {temperature:g}")


def draw_classes(
    runs: ImageRuns, *, count: int = COUNT, temperature: float = 1.0, seed: int = 0
) -> Figure:
    """Conditional samples: a row for each class, a column for each z."""
    vae = runs.model.model
    classes = range(vae.classes)
    latents = vae.encoder.outputs[0].shape[1]
    z = np.float32(temperature * np.random.default_rng(seed).normal(size=(count, latents)))
    return plot_image_grid(
        np.stack([vae.decode(z, np.full(count, number)) for number in classes]),
        row_names=[runs.images.class_names[number] for number in classes],
        column_names=[f"z {number}" for number in range(1, count + 1)],
        title="a class in each row, the same z in each column",
    )


def draw_sharpness(runs: ImageRuns, *, temperature: float = 1.0, seed: int = 0) -> Figure:
    """Test images and samples of each model, with their relative sharpness."""
    sets = {REAL: runs.tests[:MEASURED]}
    for name, model in runs.models.items():
        sets[name] = model.generate(MEASURED, temperature, seed)
    if len({images.shape[1:] for images in sets.values()}) > 1:
        raise InputError("the runs must be of images of one size and depth")
    real = sharpness(sets[REAL])
    grids = []
    names = []
    for name, images in sets.items():
        grids.append(in_rows(images, SAMPLE_ROWS, SAMPLE_COLUMNS))
        label = f"{name}\nsharpness {sharpness(images) / real:.2f}"
        names += ["", label, *[""] * (SAMPLE_ROWS - 2)]
    return plot_image_grid(np.concatenate(grids), row_names=names, title="real and sampled")


def sharpness(images: np.ndarray) -> float:
    """Mean variance of the Laplacian of channels (Pech-Pacheco et al. 2000).

    Images: (n, height, width, channels). Blur lowers it, noise raises it: compare with real ones.
    """
    second_differences = laplace(images, mode="nearest", axes=(1, 2))
    return float(second_differences.var(axis=(1, 2)).mean())


def draw_traversal(runs: ImageRuns, *, count: int = COUNT) -> Figure:
    """Rows that move one latent each, those first that vary most."""
    model = runs.model
    codes = model.encode(runs.tests[:MAX_POINTS])
    spread = codes.std(axis=0)
    most_active = np.argsort(-spread)[:count]
    reach = np.linspace(-REACH, REACH, STEPS)
    rows = np.tile(codes.mean(axis=0), (len(most_active), STEPS, 1))  # (rows, STEPS, code_size)
    for row, latent in enumerate(most_active):
        scale = spread[latent]
        if model.is_generative:  # its prior has the standard deviation 1
            scale = max(1.0, scale)
        rows[row, :, latent] += reach * scale
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
    model = runs.model
    names = classes or default_classes(runs.images)
    ends = np.stack([_first_of_class(runs.images, name) for name in names])
    codes = model.encode(ends)
    rows = {}
    for method in ("linear", "cubic"):
        rows[f"{method}, codes"] = model.decode(interpolate(codes[0], codes[1], count, method))
    for method in METHODS:
        rows[f"{method}, pixels"] = interpolate(ends[0], ends[1], count, method)
    return plot_image_rows(rows, f"from {names[0]} to {names[1]}, codes of {codes.shape[1]}")


def draw_latent_space(runs: ImageRuns) -> Figure:
    """Codes and pixels as points, reduced to two numbers by PCA if need be."""
    tests = runs.tests[:MAX_POINTS]
    labels = runs.images.test.labels
    codes = runs.model.encode(tests)
    title = f"codes of {codes.shape[1]} numbers"
    if codes.shape[1] > 2:
        codes, share = _two_components(codes, codes)
        title += f", two components ({share:.0%} of the variance)"
    pixels, share = _two_components(runs.images.pixels(runs.images.train), tests)
    return plot_latent_space(
        {title: codes, f"pixels, two components ({share:.0%})": pixels},
        None if labels is None else labels[:MAX_POINTS],
        class_name=runs.images.class_names.__getitem__,
        axis_names=("first number", "second number"),
        title=f"{len(tests)} test images in two numbers: {runs.model.settings.variant} and PCA",
    )


def _two_components(train: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, float]:
    """Two principal components of points, (n, 2), and their share of variance."""
    pca = PCA(2, random_state=0).fit(train.reshape(len(train), -1))
    return pca.transform(points.reshape(len(points), -1)), pca.explained_variance_ratio_.sum()


def draw_pca(runs: ImageRuns, *, count: int = COUNT) -> Figure:
    """Reconstructions of a linear autoencoder, and of PCA of the same size."""
    comparison = compare_with_pca(runs.model, runs.images)
    tests = runs.tests[:count]
    rows = {
        "image": tests,
        "linear autoencoder": runs.model.reconstruct(tests),
        "PCA": comparison.pca_reconstructions[:count],
    }
    return plot_image_rows(rows, str(comparison))


def draw_roc(runs: ImageRuns) -> Figure:
    """ROC curve of the reconstruction error as an anomaly score."""
    number: Any = runs.model.origin.left_out_class
    errors = reconstruction_errors(runs.tests, runs.model.reconstruct(runs.tests))
    false, true, _ = roc_curve(runs.images.test.labels == number, errors)
    name = runs.images.class_names[number]
    return plot_lines(
        {f"area {auc(false, true):.3f}": (false, true)},
        axis_names=("other classes taken for anomalies", f"images of class {name} found"),
        title=f"class {name} was never trained on: found by its reconstruction error",
        diagonal=True,
    )


def draw_autoencoder_and_vae() -> Figure:
    """The default autoencoder and the default VAE, for images of MNIST."""
    plain = preset("dense").model
    vae = preset("vae").model
    return plot_diagram(
        "autoencoder-and-vae",
        pixels=MNIST_PIXELS,
        code_size=plain.code_size,
        latents=vae.latents,
        plain_encoder=_arrows_between(plain.units),
        plain_decoder=_arrows_between(plain.units[::-1]),
        vae_encoder=_arrows_between(vae.units),
        vae_decoder=_arrows_between(vae.units[::-1]),
    )


def _arrows_between(widths: Sequence[int]) -> str:
    return " → ".join(map(str, widths))


def default_classes(images: ImageSet) -> tuple[str, str]:
    """Two classes to interpolate between."""
    names = list(images.classes(images.test))
    return DEFAULT_CLASSES if set(DEFAULT_CLASSES) <= set(names) else (names[0], names[-1])


def _first_of_class(images: ImageSet, name: str) -> np.ndarray:
    classes = images.classes(images.test)
    if name not in classes:
        raise InputError(f"--classes must name two of {', '.join(classes)}; received {name!r}")
    return images.pixels(images.test)[np.argmax(images.test.labels == classes[name])]


FIGURES: dict[str, Callable[..., Figure]] = {
    "reconstructions": draw_reconstructions,
    "samples": draw_samples,
    "classes": draw_classes,
    "sharpness": draw_sharpness,
    "traversal": draw_traversal,
    "latent-space": draw_latent_space,
    "interpolation": draw_interpolation,
    "denoising": draw_denoising,
    "pca": draw_pca,
    "roc": draw_roc,
}
READY_MADE_OF = {  # models for a figure if no run is named; other figures show the autoencoder
    "samples": ["hierarchical"],
    "classes": ["conditional"],
    "sharpness": ["vae", "hierarchical"],
    "traversal": ["vae"],
}
FIGURES_BY_HAND: dict[str, Callable[..., Figure]] = {  # figures that need no run
    "autoencoder-and-vae": draw_autoencoder_and_vae
}


def ready_made_runs(figure: str) -> tuple[Path, ...]:
    """Run directories of the models of the package that a figure shows."""
    return tuple(READY_MADE_RUNS / name for name in READY_MADE_OF.get(figure, ["autoencoder"]))


def figures_of(runs: ImageRuns) -> list[str]:
    """Names of the figures that can be drawn of these models and images."""
    model = runs.model
    images = runs.images
    several_numbers = model.has_codes and model.code_size > 1
    applies = {
        "samples": model.is_generative,
        "classes": model.settings.is_conditional,
        "sharpness": all(each.is_generative for each in runs.models.values()),
        "traversal": model.has_codes,
        "latent-space": several_numbers and len(images.test) > 1,
        "interpolation": model.has_codes and len(images.classes(images.test)) > 1,
        "pca": model.has_pca(images),
        "roc": model.origin.left_out_class is not None and images.test.labels is not None,
    }
    return [name for name in FIGURES if applies.get(name, True)]
