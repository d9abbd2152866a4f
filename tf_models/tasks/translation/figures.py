"""The figures of a translator, and those of the articles that need none: an entry each.

The functions stand in `drawing` and `drawing_by_hand`, which wait for TensorFlow.
"""

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from tf_models.data.text.article_sentences import (
    DIRECTOR,
    HOPKINS,
    HOPKINS_IN_GERMAN,
    IT_STANDS_FOR,
)
from tf_models.plotting.registry import FigureEntry, FigureRegistry
from tf_models.tasks.translation.protocol import inner_transformer

ANIMATION = "animation"
TIRED = next(iter(IT_STANDS_FOR))
SHORT, PADDED = (13, 12), (42, 41)  # tokens of target and source, padding included
_SENTENCE = {"sentence": DIRECTOR, "target": None, "kind": "encoder"}
_PAIR = {"sentence": HOPKINS, "target": HOPKINS_IN_GERMAN, "layer": None}
_ONE_WORD = {**_SENTENCE, "sentence": TIRED, "query": "it", "layer": None}
_TRANSFORMER = {
    "applies": lambda translator: inner_transformer(translator.model) is not None,
    "needs": "a Transformer",
}


def _drawing() -> ModuleType:
    from tf_models.tasks.translation import drawing

    return drawing


def _by_hand() -> ModuleType:
    from tf_models.tasks.translation import drawing_by_hand

    return drawing_by_hand


def load(run_dirs: Sequence[Path], checkpoint: str | None):
    """A translator of one run, or the one that comes with the package."""
    from tf_models.runtime import use_cores_for_inference
    from tf_models.tasks.translation.ready_made import RUN_DIR
    from tf_models.tasks.translation.translator import Translator

    use_cores_for_inference()
    return Translator.load(run_dirs[0] if run_dirs else RUN_DIR, checkpoint)


FIGURES = FigureRegistry(
    "a translator",
    {
        "maps": FigureEntry(
            "heat maps: the heads of a layer, one head, or all layers",
            lambda: _drawing().draw_maps,
            {**_SENTENCE, "kind": "cross", "layer": None, "head": None, "words": False},
        ),
        "query": FigureEntry(
            "a head's map, one row of it framed and as a histogram",
            lambda: _drawing().draw_query,
            {**_ONE_WORD, "head": 1, "words": True},
        ),
        "histogram": FigureEntry(
            "one row as a histogram, with the weighted sum of the values",
            lambda: _drawing().draw_histogram,
            {**_ONE_WORD, "head": 1, "words": True},
        ),
        "lines": FigureEntry(
            "what one word attends to, as lines: one head, two heads, all heads",
            lambda: _drawing().draw_lines,
            _ONE_WORD,
        ),
        "forced-map": FigureEntry(
            "ten German by nine English words, while a given target is forced",
            lambda: _drawing().draw_forced_map,
            {**_PAIR, "head": None, "words": False},
        ),
        "padded-map": FigureEntry(
            "a head's map of a pair that is padded to (42, 41), or (41, 41) of the encoder",
            lambda: _drawing().draw_padded_map,
            {**_PAIR, "kind": "cross", "head": 1, "sizes": PADDED},
        ),
        "masked-softmax": FigureEntry(
            "a head's scores before and after the padding mask and the softmax",
            lambda: _drawing().draw_masked_softmax,
            {"sentence": DIRECTOR, "layer": None, "head": 1},
            **_TRANSFORMER,
        ),
        "statistics": FigureEntry(
            "entropy and diagonality of every head",
            lambda: _drawing().draw_statistics,
            {**_SENTENCE, "words": False},
        ),
        "pipeline": FigureEntry(
            "multi-head attention from X to its output, with the numbers of a layer",
            lambda: _drawing().draw_pipeline,
            {"sentence": DIRECTOR, "layer": None},
            **_TRANSFORMER,
        ),
        "32-maps": FigureEntry(
            "all maps of a 4 x 8 model on one page, untrained",
            lambda: _drawing().draw_article_maps,
            {"sentence": DIRECTOR},
        ),
        ANIMATION: FigureEntry(
            "a map through the epochs that a run keeps; as .gif it moves",
            lambda: _drawing().draw_epochs,
            {
                **_SENTENCE,
                "kind": "cross",
                "layer": None,
                "head": 1,
                "run_dir": None,
                "moves": False,
            },
        ),
        "training": FigureEntry(
            "loss, accuracy and BLEU over the epochs",
            lambda: _drawing().draw_training,
            {"run_dir": None},
        ),
    },
    kinds=("translator",),
    load=load,
)

FIGURES_BY_HAND = FigureRegistry(
    "no run",
    {
        "masks": FigureEntry(
            "the three masks of the translator article's pair, padded to --sizes",
            lambda: _by_hand().draw_masks,
            {"sizes": SHORT},
        ),
        "encoder-mask": FigureEntry(
            "the encoder's padding mask, before and after the softmax",
            lambda: _by_hand().draw_encoder_mask,
            {"sizes": SHORT},
        ),
        "look-ahead-mask": FigureEntry(
            "look-ahead and padding mask combined, before and after the softmax",
            lambda: _by_hand().draw_look_ahead_mask,
            {"sizes": SHORT},
        ),
        "decoder-mask": FigureEntry(
            "the decoder's padding mask, before and after the softmax; --sizes 42,41 as in the "
            "article",
            lambda: _by_hand().draw_decoder_mask,
            {"sizes": SHORT},
        ),
        "positions": FigureEntry(
            "positional encoding in both layouts; 20 positions, 512 numbers, or --sizes",
            lambda: _by_hand().draw_positions,
            {"sizes": (20, 512)},
        ),
        "position-products": FigureEntry(
            "dot products of positions with each other",
            lambda: _by_hand().draw_position_products,
            {"sizes": (50, 512)},
        ),
        "michael": FigureEntry(
            "the weights of the query Michael, with their sum and the weighted sum",
            lambda: _by_hand().draw_michael,
        ),
        "six-steps": FigureEntry(
            "the scores 112 and 96 through the six steps of attention",
            lambda: _by_hand().draw_six_steps,
        ),
        "target-grid": FigureEntry(
            "je suis étudiant: the grid aimed at, untrained, trained (takes seconds)",
            lambda: _by_hand().draw_target_grid,
        ),
        "learning-rate": FigureEntry(
            "the schedule: warm-up, then the inverse square root",
            lambda: _by_hand().draw_learning_rate,
        ),
        "layer-normalisation": FigureEntry(
            "which axis layer normalisation goes along, beside batch normalisation",
            lambda: _by_hand().draw_layer_normalisation,
            {"tokens": "the old dog sleeps she sings", "features": 4, "seed": 0},
        ),
    },
)
