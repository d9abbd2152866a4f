"""Figures of classifiers of texts: what they attend to, and what they confuse."""

import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from sklearn.metrics import accuracy_score, confusion_matrix

from tf_models.classification.model import TextClassifier, check_labels
from tf_models.data.labelled import read_labelled
from tf_models.data.pairs import IT_STANDS_FOR
from tf_models.errors import InputError, check_choice, check_number
from tf_models.plotting.attention import plot_attention_layers, plot_attention_weights, reading_of
from tf_models.plotting.number_grid import plot_confusion
from tf_models.plotting.words import leave_out_marks, merge_pieces

ALL = "all"
TIRED = next(iter(IT_STANDS_FOR))
QUERIES = {"mean": "mean of all rows", "first": "first token"}
_TITLE_CHARACTERS = 60


def draw_attention(
    classifier: TextClassifier,
    *,
    sentence: str = TIRED,
    layer: str = ALL,
    query: str | None = None,
    words: bool = False,
    without_marks: bool = False,
) -> Figure:
    """Heat maps of the encoder's self-attention while it reads a text, in a layer, 1 to the last,
    or in all.

    The query is "first" for the row of the first token alone, "mean" for the mean of all rows: what
    the pooling of that name sees of the other tokens in the last layer; None for all rows. Pieces
    may be merged into words, and start, end and punctuation left out. Raises InputError: no such
    layer, or the text cannot be read.
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
    plot: Any = plot_attention_layers
    left_out = None
    if layer != ALL:
        number = check_number("--layer", layer, len(weights), also=f" or {ALL}")
        weights, title = weights[number - 1], f"{title}, layer {number}"
        plot = plot_attention_weights
    if without_marks:
        weights, rows, columns, shares = leave_out_marks(weights, rows, columns)
        left_out = float(shares.mean())
    reading = reading_of(left_out=left_out)
    return plot(weights, rows, columns, title=title, reading=reading)


def draw_confusion(classifier: TextClassifier, *, test: Path | None = None) -> Figure:
    """Right classes against predicted ones, of a file of labelled texts."""
    if test is None:
        raise InputError("--figure confusion needs --test FILE, a label and a text on each line")
    tests = read_labelled(test)
    check_labels(tests, classifier.classes)
    predicted = classifier.classify([example.text for example in tests])
    right = [example.label for example in tests]
    return plot_predictions(right, predicted, classifier.classes, "test texts")


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
