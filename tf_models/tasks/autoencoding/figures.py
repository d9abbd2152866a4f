"""The figures of a trained autoencoder or VAE, one registry entry each."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np
import tensorflow as tf
from matplotlib.figure import Figure

from tf_models.data.images.batches import corrupt
from tf_models.data.images.corruption import Corruption
from tf_models.data.images.dataset import ImageSet
from tf_models.errors import InputError
from tf_models.plotting.codes import plot_codes
from tf_models.plotting.image_grid import plot_image_grid
from tf_models.plotting.language import ENGLISH, in_language, number_in_language
from tf_models.plotting.latent_space import plot_latent_space
from tf_models.plotting.lines import plot_lines
from tf_models.tasks.autoencoding.anomalies import reconstruction_errors, roc
from tf_models.tasks.autoencoding.figure_options import FigureOptions
from tf_models.tasks.autoencoding.interpolation import METHODS, interpolate
from tf_models.tasks.autoencoding.pca import compare_with_pca, has_pca
from tf_models.tasks.autoencoding.trained_model import ImageModel

STEPS = 10
REACH = 2.5  # standard deviations to either side, in a traversal
MOST_POINTS = 5000
DEFAULT_CLASSES = ("0", "7")  # lecture 7's
DEFAULT_CORRUPTION = Corruption(masking_noise=0.3)


@dataclass(frozen=True)
class ImageFigure:
    """A figure that a command can draw.

    draw: (model, images, options) -> the figure.
    says_something: whether the end of training draws it, for a model and its images.
    options: names of the options that it heeds.
    """

    draw: Callable[[ImageModel, ImageSet, FigureOptions], Figure]
    says_something: Callable[[ImageModel, ImageSet], bool]
    options: Collection[str] = ()


def figures_of(model: ImageModel, images: ImageSet) -> list[str]:
    """Names of the figures that say something of this model, for the end of training."""
    return [name for name, figure in FIGURES.items() if figure.says_something(model, images)]


def draw_reconstructions(model: ImageModel, images: ImageSet, options: FigureOptions) -> Figure:
    """Test images, and what comes back."""
    shown = _first_tests(images, options)
    rows = np.stack([shown, model.reconstruct(shown)])
    names = [in_language(words, options.language) for words in ("image", "reconstruction")]
    title = in_language("reconstructions", options.language)
    return plot_image_grid(rows, row_names=names, title=title)


def draw_denoising(model: ImageModel, images: ImageSet, options: FigureOptions) -> Figure:
    """Clean, noisy and restored images; the noise is that of training, or else masking noise."""
    clean = _first_tests(images, options)
    corruption = model.corruption or DEFAULT_CORRUPTION
    noisy = corrupt(tf.constant(clean), corruption, tf.constant([options.seed, 0])).numpy()
    rows = np.stack([clean, noisy, model.reconstruct(noisy)])
    names = [in_language(words, options.language) for words in ("clean", "noisy", "restored")]
    amount = ", ".join(_name_noise(corruption, options.language))
    title = in_language("denoising ({amount})", options.language, amount=amount)
    return plot_image_grid(rows, row_names=names, title=title)


def _name_noise(corruption: Corruption, language: str) -> list[str]:
    """The kinds of noise that there are, and how much of each."""
    noise = {
        "masking noise {value}": corruption.masking_noise,
        "Gaussian noise std {value}": corruption.gaussian_noise_std,
    }
    return [
        in_language(words, language, value=number_in_language(value, "g", language))
        for words, value in noise.items()
        if value
    ]


def draw_samples(model: ImageModel, images: ImageSet, options: FigureOptions) -> Figure:
    """New images."""
    samples = model.generate(options.count**2, options.temperature, options.seed)
    grid = samples.reshape(options.count, options.count, *samples.shape[1:])
    temperature = number_in_language(options.temperature, "g", options.language)
    words = "samples at temperature {value}"
    return plot_image_grid(grid, title=in_language(words, options.language, value=temperature))


def draw_traversal(model: ImageModel, images: ImageSet, options: FigureOptions) -> Figure:
    """Each row moves one latent, those first that say most about the images."""
    codes = model.encode(images.pixels(images.test)[:MOST_POINTS])
    spread = codes.std(axis=0)
    liveliest = np.argsort(-spread)[: options.count]
    reach = np.linspace(-REACH, REACH, STEPS)
    rows = np.tile(codes.mean(axis=0), (len(liveliest), STEPS, 1))  # (rows, STEPS, code_size)
    for row, latent in enumerate(liveliest):
        width = max(1.0, spread[latent]) if model.is_generative else spread[latent]
        rows[row, :, latent] += reach * width
    decoded = model.decode(rows.reshape(-1, codes.shape[1]))
    return plot_image_grid(
        decoded.reshape(len(liveliest), STEPS, *decoded.shape[1:]),
        row_names=[f"z {latent + 1}" for latent in liveliest],
        column_names=[number_in_language(r, "+.1f", options.language) for r in reach],
        title=in_language("one latent moves, the others keep their mean", options.language),
    )


def draw_interpolation(model: ImageModel, images: ImageSet, options: FigureOptions) -> Figure:
    """Lecture 7's image fading, in code space and in pixel space."""
    names = options.classes or default_classes(images)
    ends = [_first_of_class(images, name) for name in names]
    codes = model.encode(np.stack(ends))
    rows = {
        _name_way(method, "{method}, codes", options): model.decode(
            interpolate(*codes, options.count, method)
        )
        for method in ("linear", "cubic")
    }
    rows |= {
        _name_way(method, "{method}, pixels", options): interpolate(*ends, options.count, method)
        for method in METHODS
    }
    title = in_language(
        "from {first} to {last}, codes of {size}",
        options.language,
        first=names[0],
        last=names[1],
        size=codes.shape[1],
    )
    return plot_image_grid(np.stack(list(rows.values())), row_names=list(rows), title=title)


def _name_way(method: str, words: str, options: FigureOptions) -> str:
    return in_language(words, options.language, method=in_language(method, options.language))


def draw_latent_space(model: ImageModel, images: ImageSet, options: FigureOptions) -> Figure:
    """Codes as points; of codes with more than two numbers the first two principal components."""
    codes = model.encode(images.pixels(images.test)[:MOST_POINTS])
    labels = images.test.labels
    labels = None if labels is None else labels[:MOST_POINTS]
    if codes.shape[1] == 1:
        raise InputError("a code of one number has no plane to draw")
    if len(codes) < 2:
        raise InputError("the codes of one test image have no plane to draw")
    title = in_language("codes of {count} test images", options.language, count=len(codes))
    names = "z 1", "z 2"
    if codes.shape[1] > 2:
        codes, names = _two_components(codes, options.language)
    return plot_latent_space(
        codes,
        labels,
        class_name=images.class_name,
        axis_names=names,
        title=title,
        language=options.language,
    )


def _two_components(codes: np.ndarray, language: str) -> tuple[np.ndarray, tuple[str, ...]]:
    """The first two principal components, (n, 2), and their names with their shares."""
    from sklearn.decomposition import PCA

    pca = PCA(2).fit(codes)
    shares = enumerate(pca.explained_variance_ratio_, start=1)
    words = "component {number} ({share} of the variance)"
    names = tuple(
        in_language(words, language, number=i, share=number_in_language(share, ".0%", language))
        for i, share in shares
    )
    return pca.transform(codes), names


def draw_codes(model: ImageModel, images: ImageSet, options: FigureOptions) -> Figure:
    """Codes as rows of shades."""
    labels = images.test.labels
    codes = model.encode(_first_tests(images, options))
    numbers = range(1, len(codes) + 1) if labels is None else labels[: len(codes)]
    names = [str(n) if labels is None else images.class_name(n) for n in numbers]
    title = in_language("codes", options.language)
    return plot_codes(codes, names, title=title, language=options.language)


def draw_pca(model: ImageModel, images: ImageSet, options: FigureOptions) -> Figure:
    """Reconstructions of a linear autoencoder beside those of as many principal components."""
    comparison = compare_with_pca(model, images)
    rows = [images.pixels(images.test), comparison.reconstructions, comparison.pca_reconstructions]
    return plot_image_grid(
        np.stack([row[: options.count] for row in rows]),
        row_names=[
            in_language(words, options.language) for words in ("image", "linear autoencoder", "PCA")
        ],
        title=comparison.describe(options.language),
    )


def draw_roc(model: ImageModel, images: ImageSet, options: FigureOptions) -> Figure:
    """True against false positive rate, if a greater error is taken for an anomaly."""
    number = model.left_out_class
    if number is None:
        raise InputError(
            f"{model.path} was trained on all classes; train with --without-class for a ROC curve"
        )
    if images.test.labels is None:
        raise InputError(f"{images.name} has no labels, so nothing tells the anomalies")
    tests = images.pixels(images.test)
    name = images.class_name(number)
    errors = reconstruction_errors(tests, model.reconstruct(tests))
    false_positives, true_positives, area = roc(errors, images.test.labels == number)
    return plot_roc(false_positives, true_positives, area, name, options.language)


def plot_roc(
    false_positives: np.ndarray,
    true_positives: np.ndarray,
    area: float,
    name: str,
    language: str = ENGLISH,
) -> Figure:
    """A ROC curve (see `roc`) of finding the class `name`, in a language."""
    label = in_language("area {area}", language, area=number_in_language(area, ".3f", language))
    title = "class {name} was never trained on: found by its reconstruction error"
    return plot_lines(
        {label: (false_positives, true_positives)},
        axis_names=(
            in_language("other classes taken for anomalies", language),
            in_language("images of class {name} found", language, name=name),
        ),
        title=in_language(title, language, name=name),
        diagonal=True,
        language=language,
    )


def _first_tests(images: ImageSet, options: FigureOptions) -> np.ndarray:
    return images.pixels(images.test)[: options.count]


def default_classes(images: ImageSet) -> tuple[str, str]:
    """Two classes to interpolate between."""
    known = list(images.classes(images.test))
    if len(known) < 2:
        raise InputError(
            f"interpolation needs two classes; the test images of {images.name} have {len(known)}"
        )
    return DEFAULT_CLASSES if set(DEFAULT_CLASSES) <= set(known) else (known[0], known[-1])


def _first_of_class(images: ImageSet, name: str) -> np.ndarray:
    known = images.classes(images.test)
    if name not in known:
        received = ", ".join(known) or "none"
        raise InputError(
            f"--classes must name classes of the test images ({received}); received {name!r}"
        )
    return images.pixels(images.test)[np.argmax(images.test.labels == known[name])]


def _has_plane(model: ImageModel, images: ImageSet) -> bool:
    return model.has_codes and model.code_size > 1 and len(images.test) > 1


def _has_classes(model: ImageModel, images: ImageSet) -> bool:
    return model.has_codes and len(images.classes(images.test)) > 1


FIGURES = {
    "reconstructions": ImageFigure(draw_reconstructions, lambda model, images: True, ("count",)),
    "samples": ImageFigure(
        draw_samples, lambda model, images: model.is_generative, ("count", "temperature")
    ),
    "traversal": ImageFigure(
        draw_traversal, lambda model, images: model.has_codes and model.is_generative, ("count",)
    ),
    "codes": ImageFigure(
        draw_codes, lambda model, images: model.has_codes and not model.is_generative, ("count",)
    ),
    "latent-space": ImageFigure(draw_latent_space, _has_plane),
    "interpolation": ImageFigure(draw_interpolation, _has_classes, ("count", "classes")),
    "denoising": ImageFigure(
        draw_denoising, lambda model, images: bool(model.corruption), ("count",)
    ),
    "pca": ImageFigure(draw_pca, has_pca, ("count",)),
    "roc": ImageFigure(draw_roc, lambda model, images: model.left_out_class is not None),
}
