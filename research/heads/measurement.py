"""All measures of the heads of a translator, head by head."""

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import keras
from tqdm import tqdm

from research.heads.ablation import KINDS, Head, head_ablated, heads_of, others_ablated
from research.heads.forced_attention import ForcedAttention, forced_attention
from research.heads.quality import Quality, translation_quality, with_max_length
from research.heads.sentences import RELATIONS, GoldSentence
from research.heads.statistics import head_statistics
from tf_models.errors import InputError
from tf_models.translation.model import build_model, inner_transformer
from tf_models.translation.settings import TranslatorSettings
from tf_models.translation.translate import Translator

STATISTICS = (
    *("entropy", "diagonality", "start_and_end", "itself", "previous", "alignment_error_rate"),
    *RELATIONS.values(),
)
# Measures with a head ablated, or with all others of its block.
ABLATED, ALONE = ([f"{name}_{state}" for name in Quality._fields] for state in ("ablated", "alone"))
COLUMNS = ("kind", "layer", "head", *STATISTICS, *ABLATED, *ALONE)
NONE, UNTRAINED = "none", "untrained"  # in the column "head": the rows of baselines
ANY = "any"  # in the column "kind"
Row = dict[str, object]  # by `COLUMNS`; None where there is nothing to measure


@dataclass(frozen=True)
class HeadMeasurement:
    """Measures of all heads.

    rows: a row of `COLUMNS` for each head, kind by kind; first the whole model ("none" ablated),
        last the mean head of an untrained one. Shares of attention and the alignment error rate run
        from 0 to 1, entropy is in nats, all else from 0 to 100.
    sentences: how many.
    """

    rows: list[Row]
    sentences: int

    @property
    def whole(self) -> Row:
        """The row with no head ablated."""
        return self.rows[0]

    def heads(self) -> list[Row]:
        """The rows of heads."""
        return [row for row in self.rows if isinstance(row["head"], int)]

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


def measure_heads(
    translator: Translator,
    settings: TranslatorSettings,
    sentences: Sequence[GoldSentence],
    seed: int = 0,
) -> HeadMeasurement:
    """Measure the attention of each head, and what is lost without it.

    The model's weights are changed meanwhile, and are at the end what they were.

    Args:
        translator: of a Transformer.
        settings: of its training, for an untrained model like it.
        sentences: that it can read.
        seed: of the untrained model.
    """
    keras.utils.set_random_seed(seed)
    untrained = build_model(settings, translator.tokenizers)
    attention, untrained_attention = (
        list(forced_attention(translator, sentences, model=model))
        for model in (translator.model, untrained)
    )
    statistics = _statistics_of_heads(attention)
    brief, network = with_max_length(translator, sentences), translator.model.network
    whole = dict(zip(ABLATED, translation_quality(brief, sentences), strict=True))
    rows = [_row(ANY, None, NONE, whole)]
    for head in tqdm(heads_of(network), unit="head", disable=None):
        with head_ablated(network, head):
            ablated = dict(zip(ABLATED, translation_quality(brief, sentences), strict=True))
        with others_ablated(network, head):
            alone = dict(zip(ALONE, translation_quality(brief, sentences), strict=True))
        rows.append(_row(*head, {**statistics[head], **ablated, **alone}))
    for kind in KINDS:
        found = head_statistics(untrained_attention, kind)
        means = {name: _number(values.mean()) for name, values in found.items()}
        rows.append(_row(kind, None, UNTRAINED, means))
    return HeadMeasurement(rows, len(sentences))


def _row(kind: str, layer: int | None, head: int | str, values: Mapping[str, float | None]) -> Row:
    return {**dict.fromkeys(COLUMNS), "kind": kind, "layer": layer, "head": head, **values}


def _statistics_of_heads(
    attention: Sequence[ForcedAttention],
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
