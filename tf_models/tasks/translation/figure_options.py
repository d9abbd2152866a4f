"""Options of a translator's figures; apart, so that --help need not wait for TensorFlow."""

from dataclasses import dataclass

# The figures of `tf_models.tasks.translation.figures`, and what each shows.
FIGURE_NAMES = {
    "maps": "heat maps of the heads (default)",
    "query": "a head's map, one row of it framed and as a histogram",
    "histogram": "one row as a histogram, with the weighted sum of the values",
    "statistics": "entropy and diagonality of every head",
    "mask": "what the attention of a kind may not look at",
    "masked-softmax": "scores before and after the mask and the softmax",
    "positions": "positional encoding, interleaved and concatenated",
}


@dataclass(frozen=True)
class FigureOptions:
    """Which sentence, and which part of its attention.

    sentence: in the source language.
    target: the translation to force; None: the model's own.
    kind: of `ATTENTION_KINDS`.
    layer: "1" to the last one (None), or "all".
    head: from 1; None: all, or the first where one is drawn.
    words: whether pieces are merged into words.
    query: the token whose row is drawn, for the figures query and histogram.
    """

    sentence: str
    target: str | None = None
    kind: str = "cross"
    layer: str | None = None
    head: int | None = None
    words: bool = False
    query: str | None = None
