"""Figures of classifiers: what they attend to, and which classes they confuse."""

import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from sklearn.metrics import accuracy_score, confusion_matrix

from tf_models.classification.model import ImageClassifier, TextClassifier, classify_tests
from tf_models.data.pairs import IT_STANDS_FOR
from tf_models.errors import InputError, check_choice, check_number
from tf_models.plotting.attention import plot_attention_layers, plot_attention_maps
from tf_models.plotting.images import plot_image_attention
from tf_models.plotting.number_grid import plot_confusion
from tf_models.plotting.words import merge_pieces

ALL = "all"
TIRED = next(iter(IT_STANDS_FOR))
QUERIES = {"mean": "mean of all rows", "first": "first token"}
COUNT = 10  # images by default
_TITLE_CHARACTERS = 60


def draw_attention(
    classifier: TextClassifier,
    *,
    sentence: str = TIRED,
    layer: str = ALL,
    query: str | None = None,
    words: bool = False,
) -> Figure:
    """Heat maps of the encoder's self-attention while it reads a text, in a layer, 1 to the last,
    or in all.

    The query is "first" for the row of the first token alone, "mean" for the mean of all rows: what
    the pooling of that name sees of the other tokens in the last layer; None for all rows. Pieces
    may be merged into words. Raises InputError: no such layer, or the text cannot be read.
    """
    tokens, weights = classifier.attention(sentence)
    rows, columns = tokens, tokens
    if query is not None:  # before pieces are merged: the pooling knows no words
        check_choice("--query", query, QUERIES)
        chosen = weights[:, :, 0] if query == "first" else weights.mean(axis=2)
        weights, rows = chosen[:, :, np.newaxis], [QUERIES[query]]  # (layers, heads, 1, columns)
    if words:
        weights, rows, columns = merge_pieces(weights, rows, columns)
    (probabilities,) = classifier.probabilities([sentence])
    predicted = f"{classifier.classes[probabilities.argmax()]} ({probabilities.max():.0%})"
    shown = textwrap.shorten(sentence, _TITLE_CHARACTERS, placeholder="…")
    title = f"encoder self-attention: “{shown}” → {predicted}"
    if layer == ALL:
        return plot_attention_layers(weights, rows, columns, title=title)
    number = check_number("--layer", layer, len(weights), also=f" or {ALL}")
    title = f"{title}, layer {number}"
    return plot_attention_maps(weights[number - 1], rows, columns, title=title)


def draw_class_token(
    classifier: ImageClassifier, *, count: int = COUNT, layer: str | None = None
) -> Figure:
    """Test images that the run keeps, one of each class first (see `plot_class_token`)."""
    images = classifier.origin.load_kept()
    labels = np.asarray(images.test.labels)
    one_of_each = np.unique(labels, return_index=True)[1]
    chosen = list(dict.fromkeys([*one_of_each, *range(len(labels))]))[:count]
    names = [classifier.classes[labels[i]] for i in chosen]
    return plot_class_token(classifier, images.pixels(images.test[chosen]), names, layer)


def plot_class_token(
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


def draw_confusion(classifier: TextClassifier, *, test: Path | None = None) -> Figure:
    """Right classes against predicted ones, of a file of labelled texts."""
    if test is None:
        raise InputError("--figure confusion needs --test FILE, a label and a text on each line")
    texts, right = zip(*((one.text, one.label) for one in classifier.read([test])), strict=True)
    return plot_predictions(right, classifier.classify(texts), classifier.classes, "test texts")


def draw_image_confusion(classifier: ImageClassifier) -> Figure:
    """Right classes against predicted ones, of the test images that the run keeps."""
    right, predicted = classify_tests(classifier, classifier.origin.load_kept())
    return plot_predictions(right, predicted, classifier.classes, "test images")


def plot_predictions(
    right: Sequence[str], predicted: Sequence[str], classes: Sequence[str], of: str
) -> Figure:
    """Right classes against predicted ones, and the accuracy, of "test texts" or images."""
    title = f"{len(right):,} {of}, accuracy {accuracy_score(right, predicted):.1%}"
    counts = confusion_matrix(right, predicted, labels=classes)
    return plot_confusion(counts, classes, title=title)


FIGURES: dict[str, Callable[..., Figure]] = {
    "attention": draw_attention,
    "confusion": draw_confusion,
}
IMAGE_FIGURES: dict[str, Callable[..., Figure]] = {
    "attention": draw_class_token,
    "confusion": draw_image_confusion,
}
