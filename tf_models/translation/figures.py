"""The figures of a translator, and those of the articles that need none, by name.

The functions that draw them stand in `drawing` and `drawing_by_hand`, which wait for TensorFlow.
"""

from typing import Any

from tf_models.plotting.registry import FigureRegistry, Need

ANIMATION = "animation"


def _has_transformer(translator: Any) -> bool:
    from tf_models.translation.model import inner_transformer  # late: it loads TensorFlow

    return inner_transformer(translator.model) is not None


_TRANSFORMER = Need(_has_transformer, "a Transformer")


FIGURES = FigureRegistry(
    "a translator",
    {
        "maps": "heat maps: the heads of a layer, one head, or all layers",
        "query": "a head's map, one row of it framed and as a histogram",
        "histogram": "one row as a histogram, with the weighted sum of the values",
        "lines": "what one word attends to, as lines: one head, two heads, all heads",
        "forced-map": "ten German by nine English words, while a given target is forced",
        "padded-map": "a head's map of a pair that is padded to (42, 41), or (41, 41) of the "
        "encoder",
        "masked-softmax": "a head's scores before and after the padding mask and the softmax",
        "statistics": "entropy and diagonality of every head",
        "pipeline": "multi-head attention from X to its output, with the numbers of a layer",
        "32-maps": "all maps of the encoder on one page: 4 x 8 of the translator of the package",
        ANIMATION: "a map through the epochs that a run keeps; as .gif it moves",
        "training": "loss, accuracy and BLEU over the epochs",
    },
    "tf_models.translation.drawing",
    needs={"masked-softmax": _TRANSFORMER, "pipeline": _TRANSFORMER},
    kinds=("translator",),
)

FIGURES_BY_HAND = FigureRegistry(
    "no run",
    {
        "architecture": "both stacks: the encoder's last output goes to every layer of the decoder",
        "masks": "the three masks of the translator article's pair, padded to --sizes",
        "encoder-mask": "the encoder's padding mask, before and after the softmax",
        "look-ahead-mask": "look-ahead and padding mask combined, before and after the softmax",
        "decoder-mask": "the decoder's padding mask, before and after the softmax; --sizes 42 41 "
        "as in the article",
        "positions": "positional encoding in both layouts; 20 positions, 512 numbers, or --sizes",
        "michael": "the weights of the query Michael, with their sum and the weighted sum",
        "six-steps": "the scores 112 and 96 through the six steps of attention",
        "target-grid": "je suis étudiant: the target grid, untrained, trained (takes seconds)",
        "learning-rate": "the schedule: warm-up, then the inverse square root",
        "layer-normalisation": "which axis layer normalisation goes along, beside batch "
        "normalisation",
    },
    "tf_models.translation.drawing_by_hand",
)
