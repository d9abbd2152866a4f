"""The figures of a trained classifier: where its encoder looks, and what it takes for what."""

import numpy as np
from matplotlib.figure import Figure

from tf_models.errors import InputError
from tf_models.plotting.attention import (
    layer_number,
    plot_attention_layers,
    plot_attention_weights,
)
from tf_models.plotting.confusion import plot_confusion
from tf_models.plotting.words import merge_pieces
from tf_models.tasks.classification.evaluation import ClassScores
from tf_models.tasks.classification.text_classifier import TextClassifier

ALL = "all"
QUERIES = {"mean": "mean of all rows", "first": "first token"}
_TITLE_CHARACTERS = 60


def draw_attention(
    classifier: TextClassifier,
    text: str,
    *,
    layer: str = ALL,
    query: str | None = None,
    words: bool = False,
) -> Figure:
    """Heat maps of the encoder's self-attention while it reads a text.

    Args:
        classifier: trained.
        text: to read.
        layer: 1 to the last, or "all".
        query: "first" for the row of the first token alone, "mean" for the mean of all rows: what
            the pooling of that name sees of the other tokens in the last layer; None for all rows.
        words: whether to merge pieces into words.

    Raises:
        InputError: no such layer, or the text cannot be read.
    """
    tokens, weights = classifier.attention(text)
    rows, columns = tokens, tokens
    if query is not None:  # before pieces are merged: the pooling knows no words
        weights = _rows_of(weights, query)  # (layers, heads, 1, columns)
        rows = [QUERIES[query]]
    if words:
        weights, rows, columns = merge_pieces(weights, rows, columns)
    title = f"encoder self-attention: {_predicted(classifier, text)}"
    if layer == ALL:
        return plot_attention_layers(weights, rows, columns, title=title)
    number = layer_number(layer, len(weights), also=f" or {ALL}")
    return plot_attention_weights(
        weights[number - 1], rows, columns, title=f"{title}, layer {number}"
    )


def draw_confusion(scores: ClassScores) -> Figure:
    """Right classes against predicted ones."""
    title = f"{scores.confusion.sum():,} test texts, accuracy {scores.accuracy:.1%}"
    return plot_confusion(scores.confusion, scores.classes, title=title)


def _rows_of(weights: np.ndarray, query: str) -> np.ndarray:
    if query not in QUERIES:
        raise InputError(f"--query must be one of {', '.join(QUERIES)}; received {query}")
    chosen = weights[:, :, 0] if query == "first" else weights.mean(axis=2)
    return chosen[:, :, np.newaxis]


def _predicted(classifier: TextClassifier, text: str) -> str:
    (probabilities,) = classifier.probabilities([text])
    best = probabilities.argmax()
    shown = text if len(text) <= _TITLE_CHARACTERS else f"{text[:_TITLE_CHARACTERS]}…"
    return f"“{shown}” → {classifier.classes[best]} ({probabilities[best]:.0%})"
