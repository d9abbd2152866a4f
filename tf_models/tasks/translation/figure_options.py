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

# Those of `tf_models.tasks.translation.article_figures`, and what each shows.
ARTICLE_FIGURE_NAMES = {
    "masks": "the three masks of the article's sentence pair",
    "encoder-mask": "the encoder's padding mask, before and after the softmax",
    "look-ahead-mask": "look-ahead and padding mask combined, before and after the softmax",
    "decoder-mask": "the decoder's padding mask, before and after the softmax",
    "decoder-mask-42x41": "the same for sentences that are padded to 42 and 41 tokens",
    "padded-encoder": "a real map of the encoder, padded to (41, 41), from a checkpoint",
    "padded-cross": "a real map of the cross-attention, padded to (42, 41), from a checkpoint",
    "positions-20x512": "positional encoding of 20 positions, 512 wide, in both layouts",
    "positions-50x128": "positional encoding of 50 positions, 128 wide, in both layouts",
    "position-products": "dot products of 50 positions with each other",
    "michael": "the weights of the query Michael, with their sum and the weighted sum",
    "six-steps": "the scores 112 and 96 through the six steps of attention",
    "pipeline": "multi-head attention from X to its output, with a checkpoint's numbers",
    "32-maps": "all maps of a 4 x 8 model on one page, untrained",
    "all-maps": "all maps of a checkpoint on one page",
    "lines": "where one word looks, as lines: one head, two heads, all heads",
    "forced-map": "ten German by nine English words, while a given target is forced",
    "target-grid": "je suis étudiant: the grid aimed at, untrained, trained (takes seconds)",
    "learning-rate": "the schedule: warm-up, then the inverse square root",
    "statistics": "entropy and diagonality of every head of a checkpoint",
    "film": "a map through the epochs that a run keeps; as .gif it moves",
}
FILM = "film"


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
