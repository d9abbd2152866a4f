"""Figures of classifiers: attention and confusion matrices."""

import textwrap
from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.figure import Figure
from sklearn.metrics import accuracy_score, confusion_matrix

from tf_models.classification.model import ImageClassifier, TextClassifier, classify_tests
from tf_models.data.annotated import IT_STANDS_FOR
from tf_models.errors import InputError, StrPath, check_choice, check_number
from tf_models.plotting.attention import plot_attention_layers, plot_attention_maps
from tf_models.plotting.images import plot_image_attention
from tf_models.plotting.number_grid import plot_confusion
from tf_models.word_attention import merge_pieces

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
    """Heat maps of the encoder's self-attention while it reads a text.

    The layer is 1 to the last, or "all". The query is "first" for the row of the first token alone,
    "mean" for the mean of all rows, None for all rows; in the last layer "first" and "mean" are the
    view of the pooling of that name. Pieces may be merged into words. Raises InputError: no such
    layer or query, or the text cannot be read.
    """
    tokens, weights = classifier.attention(sentence)
    rows = columns = tokens
    if query is not None:  # before pieces are merged: the pooling knows no words
        check_choice("--query", query, QUERIES)
        chosen = weights[:, :, 0] if query == "first" else weights.mean(axis=2)
        weights = chosen[:, :, np.newaxis]  # (layers, heads, 1, columns)
        rows = [QUERIES[query]]
    if words:
        weights, rows, columns = merge_pieces(weights, rows, columns)
    (probabilities,) = classifier.probabilities([sentence])
    predicted = f"{classifier.classes[probabilities.argmax()]} ({probabilities.max():.0%})"
    excerpt = textwrap.shorten(sentence, _TITLE_CHARACTERS, placeholder="…")
    title = f"encoder self-attention: “{excerpt}” → {predicted}"
    if layer == ALL:
        return plot_attention_layers(weights, rows, columns, title=title)
    number = check_number("--layer", layer, len(weights), alternative=f" or {ALL}")
    title = f"{title}, layer {number}"
    return plot_attention_maps(weights[number - 1], rows, columns, title=title)


def draw_class_token(
    classifier: ImageClassifier, *, count: int = COUNT, layer: str | None = None
) -> Figure:
    """Class-token attention on the run's test images, one of each class first."""
    images = classifier.origin.load_kept()
    labels = np.asarray(images.test.labels)
    _, first_of_each = np.unique(labels, return_index=True)
    indices = list(dict.fromkeys([*first_of_each, *range(len(labels))]))[:count]
    names = [classifier.classes[labels[i]] for i in indices]
    return plot_class_token(classifier, images.pixels(images.test[indices]), names, layer)


def plot_class_token(
    classifier: ImageClassifier, pixels: np.ndarray, names: Sequence[str], layer: str | None = None
) -> Figure:
    """Class-token attention through all layers, and in each head of one layer.

    The layer is 1 to the last, which is the default. The names of the images (n, height, width,
    channels) are their labels, or files. Raises InputError: no such layer.
    """
    weights = classifier.attention(pixels)  # (layers, n, heads, tokens, tokens)
    number = check_number("--layer", layer, len(weights))
    heads = weights[number - 1][:, :, 0]  # (n, heads, tokens), of the class token
    maps = np.concatenate([rollout(weights)[:, np.newaxis], heads], axis=1)[..., 1:]
    maps = maps.reshape(*maps.shape[:2], *classifier.model.grid)  # (n, maps, rows, columns)
    row_names = []
    for name, probabilities in zip(names, classifier.probabilities(pixels), strict=True):
        predicted = classifier.classes[probabilities.argmax()]
        wrong = f"taken for {predicted}" if name in classifier.classes else predicted
        verdict = "right" if predicted == name else wrong
        row_names.append(f"{name}\n{verdict}, {probabilities.max():.0%}")
    map_names = ["all layers", *(f"head {head + 1}" for head in range(heads.shape[1]))]
    title = f"what the class token looks at: through all layers, and heads of layer {number}"
    return plot_image_attention(pixels, maps, row_names, map_names, title=title)


def rollout(weights: np.ndarray) -> np.ndarray:
    """Attention rollout to the class token (Abnar & Zuidema 2020, section 3).

    Also in Dosovitskiy et al. 2021, appendix D.8. In each layer a token is half itself, by the
    residual connection, and half what the heads, on average W, attend to: A = 0.5 W + 0.5 I. The
    product of these matrices says how much of each token reaches the class token.

    Args:
        weights: (layers, n, heads, tokens, tokens).

    Returns:
        (n, tokens); the shares of an image sum to one.
    """
    shares = np.zeros(weights.shape[1:2] + weights.shape[-1:])  # (n, tokens)
    shares[:, 0] = 1
    for heads in weights[::-1]:
        mean = np.einsum("nq,nhqk->nk", shares, heads) / heads.shape[1]
        shares = 0.5 * mean + 0.5 * shares
    return shares


def draw_confusion(classifier: TextClassifier, *, test: StrPath | None = None) -> Figure:
    """Confusion matrix of a file of labelled texts."""
    if test is None:
        raise InputError("--figure confusion needs --test FILE, a label and a text on each line")
    examples = classifier.read([test])
    labels = [example.label for example in examples]
    predicted = classifier.classify([example.text for example in examples])
    return plot_predictions(labels, predicted, classifier.classes, "test texts")


def draw_image_confusion(classifier: ImageClassifier) -> Figure:
    """Confusion matrix of the test images that the run keeps."""
    labels, predicted = classify_tests(classifier, classifier.origin.load_kept())
    return plot_predictions(labels, predicted, classifier.classes, "test images")


def plot_predictions(
    labels: Sequence[str], predicted: Sequence[str], classes: Sequence[str], examples: str
) -> Figure:
    """Confusion matrix and accuracy of "test texts" or "test images"."""
    title = f"{len(labels):,} {examples}, accuracy {accuracy_score(labels, predicted):.1%}"
    counts = confusion_matrix(labels, predicted, labels=classes)
    return plot_confusion(counts, classes, title=title)


FIGURES: dict[str, Callable[..., Figure]] = {
    "attention": draw_attention,
    "confusion": draw_confusion,
}
IMAGE_FIGURES: dict[str, Callable[..., Figure]] = {
    "attention": draw_class_token,
    "confusion": draw_image_confusion,
}
