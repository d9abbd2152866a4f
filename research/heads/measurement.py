"""All measures of the heads of a translator, head by head."""

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tqdm import tqdm

from research.heads.ablation import KINDS, Head, head_ablated, heads_of, others_ablated
from research.heads.forced_attention import ForcedAttention, forced_attention
from research.heads.quality import Quality, translation_quality, with_max_length
from research.heads.sentences import RELATIONS, GoldSentence
from research.heads.statistics import head_statistics
from tf_models.errors import InputError
from tf_models.translation.model import inner_transformer
from tf_models.translation.translate import Translator

STATISTICS = (
    *("entropy", "diagonality", "start_and_end", "itself", "previous", "alignment_error_rate"),
    *RELATIONS.values(),
)
# Measures with a head ablated, or with all others of its block.
ABLATED, ALONE = ([f"{name}_{state}" for name in Quality._fields] for state in ("ablated", "alone"))
COLUMNS = ("kind", "layer", "head", *STATISTICS, *ABLATED, *ALONE)
ANY, NONE = "any", "none"  # in the columns "kind" and "head": the whole model
Row = dict[str, object]  # by `COLUMNS`; None where there is nothing to measure


@dataclass(frozen=True)
class HeadMeasurement:
    """Measures of all heads.

    rows: a row of `COLUMNS` for each head, kind by kind, behind that of the whole model ("none"
        ablated). Shares of attention and the alignment error rate run from 0 to 1, entropy is in
        nats, all else from 0 to 100.
    sentences: how many.
    """

    rows: list[Row]
    sentences: int

    def as_csv(self) -> str:
        """All rows, with nothing where nothing was measured."""
        text = io.StringIO()
        writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        return text.getvalue()


def check_has_heads(translator: Translator) -> None:
    """Refuse a model whose heads cannot be ablated.

    Raises:
        InputError: it is no Transformer as the article has it.
    """
    if inner_transformer(translator.model) is None:
        name = type(translator.model.network).__name__
        raise InputError(f"--run-dir needs the article's Transformer; this is a {name}")


def measure_heads(translator: Translator, sentences: Sequence[GoldSentence]) -> HeadMeasurement:
    """Measure the attention of each head, and what is lost without it.

    The model's weights are changed meanwhile, and are at the end what they were.

    Args:
        translator: of a Transformer.
        sentences: that it can read.
    """
    statistics = _statistics_of_heads(list(forced_attention(translator, sentences)))
    brief, network = with_max_length(translator, sentences), translator.model.network
    whole = dict(zip(ABLATED, translation_quality(brief, sentences), strict=True))
    rows = [_row(ANY, None, NONE, whole)]
    for head in tqdm(heads_of(network), unit="head", disable=None):
        with head_ablated(network, head):
            ablated = dict(zip(ABLATED, translation_quality(brief, sentences), strict=True))
        with others_ablated(network, head):
            alone = dict(zip(ALONE, translation_quality(brief, sentences), strict=True))
        values = {**statistics[head], **ablated, **alone}
        rows.append(_row(head.kind, head.layer, head.number, values))
    return HeadMeasurement(rows, len(sentences))


def _row(kind: str, layer: int | None, head: int | str, values: Mapping[str, float | None]) -> Row:
    return {**dict.fromkeys(COLUMNS), "kind": kind, "layer": layer, "head": head, **values}


def _statistics_of_heads(
    attention: Sequence[ForcedAttention[GoldSentence]],
) -> dict[Head, dict[str, float | None]]:
    found = {}
    for kind in KINDS:
        of_kind = head_statistics(attention, kind)
        layers, heads = of_kind["entropy"].shape
        for layer in range(layers):
            for head in range(heads):
                values = {name: _number(value[layer, head]) for name, value in of_kind.items()}
                found[Head(kind, layer + 1, head + 1)] = values
    return found


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
