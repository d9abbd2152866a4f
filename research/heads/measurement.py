"""All measures of the heads of a translator, head by head."""

import csv
import io
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

import keras
import numpy as np
from tqdm import tqdm

from research.heads import statistics
from research.heads.effects import (
    Choice,
    PronounChoice,
    PronounExamples,
    Quality,
    pronoun_examples,
    translation_quality,
    with_max_length,
)
from research.heads.forced_attention import ForcedAttention, forced_attention
from research.heads.interventions import (
    KINDS,
    Head,
    head_ablated,
    heads_of,
    others_ablated,
    random_rows_ablated,
)
from research.heads.sentences import RELATIONS, GoldSentence
from tf_models.errors import InputError
from tf_models.translation.model import TransformerModel, build_model, inner_transformer
from tf_models.translation.settings import TranslatorSettings
from tf_models.translation.translate import Translator

STATISTICS = (
    *("entropy", "diagonality", "start_and_end", "itself", "previous", "alignment_error_rate"),
    *RELATIONS.values(),
)
# Measures with a head ablated, or with all others of its block.
ABLATED, ALONE = ([f"{name}_{state}" for name in Quality._fields] for state in ("ablated", "alone"))
CHOICES = tuple(
    f"{name}_{state}"
    for state in ("ablated", "noun_masked", "other_masked")
    for name in ("choice", "probability")
)
COLUMNS = ("kind", "layer", "head", *STATISTICS, *ABLATED, *ALONE, *CHOICES)
# Values of the column "head" in the rows of baselines.
NONE, ALL, RANDOM, UNTRAINED, DIAGONAL = "none", "all", "random", "untrained", "diagonal"
ANY = "any"  # in the column "kind"
Row = dict[str, object]  # by `COLUMNS`; None where there is nothing to measure


@dataclass(frozen=True)
class HeadMeasurement:
    """Measures of all heads.

    rows: a row of `COLUMNS` for each head, and for the baselines: nothing ablated
        ("none"), the edges of all heads of a kind masked ("all"), a random head of each block
        ("random"), an untrained model and a diagonal. Shares of attention and the alignment error
        rate run from 0 to 1, entropy is in nats, all else from 0 to 100.
    sentences: how many; pronouns: in how many of them er, sie or es is chosen.
    """

    rows: list[Row]
    sentences: int
    pronouns: int

    def heads(self) -> list[Row]:
        """The rows of heads."""
        return [row for row in self.rows if isinstance(row["head"], int)]

    def baseline(self, head: str, kind: str = ANY) -> Row:
        """The first row of a baseline: of `NONE`, `ALL` …

        Raises:
            KeyError: there is none.
        """
        for row in self.rows:
            if (row["head"], row["kind"]) == (head, kind):
                return row
        raise KeyError(f"{kind} {head}")

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
    *,
    progress: bool = False,
) -> HeadMeasurement:
    """Measure the attention of each head, and what is lost without it.

    The model's weights are changed meanwhile, and are at the end what they were.

    Args:
        translator: of a Transformer.
        settings: of its training, for an untrained model like it.
        sentences: that it can read.
        seed: of the random head, the other words and the untrained model.
        progress: whether to show bars on stderr.
    """
    random = np.random.default_rng(seed)
    keras.utils.set_random_seed(seed)
    untrained = build_model(settings, translator.tokenizers)
    attention = list(forced_attention(translator, sentences, progress=progress))
    untrained_attention = list(
        forced_attention(translator, sentences, model=untrained, progress=progress)
    )
    examples = pronoun_examples(translator, sentences, random)
    causal = _Causal(translator, sentences, examples, random, progress)
    attended = [*_of_heads(attention), *_baselines(attention, untrained_attention, random)]
    effects = causal.effects()
    effects[ANY, None, UNTRAINED] = _untrained_choice(untrained, examples)
    places = dict.fromkeys([*effects, *(place for place, _ in attended)])
    found = dict(attended)
    rows = [_row(place, {**found.get(place, {}), **effects.get(place, {})}) for place in places]
    return HeadMeasurement(
        _in_order(rows), len(sentences), 0 if examples is None else len(examples.right)
    )


Place = tuple[str, int | None, int | str]  # kind, layer, head
Values = Mapping[str, float | None]


def _row(place: Place, values: Values) -> Row:
    named = zip(COLUMNS, place, strict=False)
    return {**dict.fromkeys(COLUMNS), **dict(named), **values}


def _in_order(rows: list[Row]) -> list[Row]:
    """Kind by kind, heads first."""
    kinds = [ANY, *KINDS]
    return sorted(
        rows,
        key=lambda row: (kinds.index(row["kind"]), isinstance(row["head"], str), row["layer"] or 0),
    )


def _of_heads(attention: Sequence[ForcedAttention]) -> Iterator[tuple[Place, Values]]:
    for kind in KINDS:
        found = statistics.head_statistics(attention, kind)
        layers, heads = found["entropy"].shape
        for layer in range(layers):
            for head in range(heads):
                values = {name: _number(of[layer, head]) for name, of in found.items()}
                yield (kind, layer + 1, head + 1), values


def _baselines(attention, untrained_attention, random) -> Iterator[tuple[Place, Values]]:
    """Means over all heads of a kind."""
    beside = {
        RANDOM: statistics.random_head(attention, random),
        UNTRAINED: untrained_attention,
        DIAGONAL: statistics.diagonal_head(attention),
    }
    for name, sentences in beside.items():
        for kind in KINDS:
            found = statistics.head_statistics(sentences, kind)
            yield (kind, None, name), {key: _number(of.mean()) for key, of in found.items()}


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _untrained_choice(model: TransformerModel, examples: PronounExamples | None) -> Values:
    if examples is None:
        return {}
    return _named("ablated", PronounChoice(model.network, examples).measure())


def _named(state: str, choice: Choice) -> Values:
    return dict(zip((f"choice_{state}", f"probability_{state}"), choice, strict=True))


class _Causal:
    """Runs all interventions on one translator."""

    def __init__(self, translator, sentences, examples, random, progress: bool):
        self._network = translator.model.network
        self._translator = with_max_length(translator, sentences)
        self._sentences, self._examples, self._random = sentences, examples, random
        self._choice = None if examples is None else PronounChoice(self._network, examples)
        self._progress = progress

    def effects(self) -> dict[Place, Values]:
        """By what is ablated or masked."""
        heads = heads_of(self._network)
        blocks = dict.fromkeys((head.kind, head.layer) for head in heads)
        found: dict[Place, Values] = {(ANY, None, NONE): self._whole()}
        for head in self._bar([*heads, *blocks], "head"):
            if isinstance(head, Head):
                found[tuple(head)] = self._of_head(head)
            else:
                off = random_rows_ablated(self._network, *head, self._random)
                found[*head, RANDOM] = self._while(off, ABLATED, chooses=True)
        for kind in (*KINDS, ANY):
            masked = [head for head in heads if kind in (head.kind, ANY)]
            found[kind, None, ALL] = self._masked(masked)
        return found

    def _bar(self, work: Sequence, unit: str) -> Iterator:
        return iter(tqdm(work, unit=unit, disable=None if self._progress else True))

    def _whole(self) -> Values:
        """With nothing ablated, in the columns of ablation."""
        quality = translation_quality(self._translator, self._sentences)
        return dict(zip(ABLATED, quality, strict=True)) | self._chosen()

    def _of_head(self, head: Head) -> Values:
        off = self._while(head_ablated(self._network, head), ABLATED, chooses=True)
        alone = self._while(others_ablated(self._network, head), ALONE)
        return off | alone | self._masked([head])

    def _while(
        self, off: AbstractContextManager, columns: Sequence[str], *, chooses: bool = False
    ) -> dict[str, float | None]:
        with off:
            quality = translation_quality(self._translator, self._sentences)
            chosen = self._chosen() if chooses else {}
        return dict(zip(columns, quality, strict=True)) | chosen

    def _chosen(self) -> Values:
        return _named("ablated", self._choice.measure()) if self._choice else {}

    def _masked(self, heads: Sequence[Head]) -> Values:
        if self._choice is None:
            return {}
        noun = self._choice.measure(heads)
        other = self._choice.measure(heads, self._examples.other_word)
        return _named("noun_masked", noun) | _named("other_masked", other)
