"""Figures of classifiers of images: what the class token looks at, and what they confuse."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from tf_models.classification.figures import plot_predictions
from tf_models.classification.model import ImageClassifier, classify_tests
from tf_models.errors import check_number
from tf_models.plotting.images import plot_image_attention

COUNT = 10  # images by default


def draw_attention(
    classifier: ImageClassifier, *, count: int = COUNT, layer: str | None = None
) -> Figure:
    """Test images that the run keeps, one of each class first (see `plot_attention`)."""
    images = classifier.origin.load_kept()
    labels: Any = images.test.labels
    one_of_each = np.unique(labels, return_index=True)[1]
    chosen = list(dict.fromkeys([*one_of_each, *range(len(labels))]))[:count]
    names = [classifier.classes[labels[i]] for i in chosen]
    return plot_attention(classifier, images.pixels(images.test[chosen]), names, layer)


def plot_attention(
    classifier: ImageClassifier, pixels: np.ndarray, names: Sequence[str], layer: str | None = None
) -> Figure:
    """What the class token looks at: through all layers, and with each head of a layer, 1 to the
    last, which is the default.

    The names of the images (n, height, width, channels) are right classes, or files. Raises
    InputError: no such layer.
    """
    weights = classifier.attention(pixels)  # (layers, n, heads, tokens, tokens)
    number = check_number("--layer", layer, len(weights))
    heads = weights[number - 1][:, :, 0]  # (n, heads, tokens), of the class token
    maps = np.concatenate([rollout(weights)[:, np.newaxis], heads], axis=1)[..., 1:]
    maps = maps.reshape(*maps.shape[:2], *classifier.model.grid)  # (n, maps, rows, columns)
    row_names = []
    for name, of_image in zip(names, classifier.probabilities(pixels), strict=True):
        predicted = classifier.classes[of_image.argmax()]
        wrong = f"taken for {predicted}" if name in classifier.classes else predicted
        verdict = "right" if predicted == name else wrong
        row_names.append(f"{name}\n{verdict}, {of_image.max():.0%}")
    map_names = ["all layers", *(f"head {head + 1}" for head in range(heads.shape[1]))]
    title = f"what the class token looks at: through all layers, and heads of layer {number}"
    return plot_image_attention(pixels, maps, row_names, map_names, title=title)


def rollout(weights: np.ndarray) -> np.ndarray:
    """How much of each token reaches the class token through all layers (Abnar & Zuidema 2020,
    section 3; Dosovitskiy et al. 2021, appendix D.8).

    In each layer a token is half itself, by the residual connection, and half what the mean of the
    heads brings: A = 0.5 W + 0.5 I. Layer after layer these matrices are multiplied.

    Args:
        weights: (layers, n, heads, tokens, tokens).

    Returns:
        (n, tokens); the shares of an image sum to one.
    """
    reached = np.zeros(weights.shape[1:2] + weights.shape[-1:])  # (n, tokens)
    reached[:, 0] = 1
    for of_layer in weights[::-1]:
        brought = np.einsum("nq,nhqk->nk", reached, of_layer) / of_layer.shape[1]
        reached = 0.5 * brought + 0.5 * reached
    return reached


def draw_confusion(classifier: ImageClassifier) -> Figure:
    """Right classes against predicted ones, of the test images that the run keeps."""
    right, predicted = classify_tests(classifier, classifier.origin.load_kept())
    return plot_predictions(right, predicted, classifier.classes, "test images")


FIGURES: dict[str, Callable[..., Figure]] = {
    "attention": draw_attention,
    "confusion": draw_confusion,
}
