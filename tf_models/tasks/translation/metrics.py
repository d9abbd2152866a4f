"""Scores of translations against references."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from types import MappingProxyType

import numpy as np
import sacrebleu
from sacrebleu.significance import PairedTest

from tf_models.data.text.corpora import CorpusMetric
from tf_models.errors import InputError

SIGNIFICANCE = 0.05  # greatest probability of a difference by chance
BUCKET_WIDTH = 5  # source words in a length bucket


@dataclass(frozen=True)
class Scores:
    """How well hypotheses match references; BLEU, chrF and exact match run from 0 to 100.

    bleu, bleu_lowercased: sacreBLEU with the tokenizer that it has for the language, mostly 13a;
        signature: how they were computed.
    chrf: chrF2. exact_match: share of hypotheses that equal their reference; exact_match_of_any:
        that equal one of several, or None where no sentence has several.
    unknown_rate: share of source pieces that the tokenizer does not know, 0 to 1.
    bleu_by_length: BLEU of the sentences with 1-5, 6-10 … source words, and their number.
    of_corpus: what only this corpus can be measured by: a percentage, or None, and the number of
        sentences that it is of.
    """

    sentences: int
    bleu: float
    bleu_lowercased: float
    signature: str
    signature_lowercased: str
    chrf: float
    exact_match: float
    exact_match_of_any: float | None
    unknown_rate: float
    bleu_by_length: dict[str, tuple[float, int]]
    of_corpus: dict[CorpusMetric, tuple[float | None, int]]

    def as_dict(self) -> dict:
        """All of them by name, for JSON."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        for metric, (value, count) in values.pop("of_corpus").items():
            values |= {metric.name: value, metric.counted: count}
        return values


def score_translations(
    sources: Sequence[str],
    hypotheses: Sequence[str],
    references: Sequence[str],
    unknown_rate: float,
    language: str,
    metrics: Sequence[CorpusMetric] = (),
    others: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> Scores:
    """Score translations into a language, sentence for sentence beside their references.

    Args:
        sources, hypotheses, references: as many of each.
        unknown_rate: of the source pieces, 0 to 1.
        language: two-letter code of the target language.
        metrics: what else the corpus can be measured by.
        others: further references, by source.

    Raises:
        InputError: BLEU of that language needs a package that is not installed.
    """
    cased, lowercased = make_bleu(language), make_bleu(language, lowercase=True)
    return Scores(
        sentences=len(references),
        bleu=cased.corpus_score(hypotheses, [references]).score,
        bleu_lowercased=lowercased.corpus_score(hypotheses, [references]).score,
        signature=str(cased.get_signature()),
        signature_lowercased=str(lowercased.get_signature()),
        chrf=sacrebleu.CHRF().corpus_score(hypotheses, [references]).score,
        exact_match=exact_match(hypotheses, references),
        exact_match_of_any=_exact_match_of_any(sources, hypotheses, references, others),
        unknown_rate=unknown_rate,
        bleu_by_length=_bleu_by_length(sources, hypotheses, references, cased),
        of_corpus={
            metric: (None if share is None else 100 * share, count)
            for metric in metrics
            for share, count in [metric.compute(sources, hypotheses, references)]
        },
    )


def make_bleu(language: str, lowercase: bool = False) -> sacrebleu.BLEU:
    """BLEU of translations into a language, given as its code: "de".

    Raises:
        InputError: it needs a package that is not installed.
    """
    try:
        return sacrebleu.BLEU(lowercase=lowercase, trg_lang=language)
    except RuntimeError as error:
        raise InputError(
            f"BLEU of {language} needs to know its words; pip install 'sacrebleu[{language}]'"
        ) from error


def is_significantly_better(
    hypotheses: Sequence[str], baseline: Sequence[str], references: Sequence[str], language: str
) -> bool:
    """Whether translations have a higher BLEU (cased) than others, and hardly by chance.

    It is sacreBLEU's paired bootstrap (Koehn 2004), 1,000 resamples, p below `SIGNIFICANCE`.

    Args:
        hypotheses, baseline, references: as many of each.
        language: two-letter code of the target language.

    Raises:
        InputError: BLEU of that language needs a package that is not installed.
    """
    systems = [("baseline", list(baseline)), ("other", list(hypotheses))]
    metrics = {"BLEU": make_bleu(language)}
    _, found = PairedTest(systems, metrics, [list(references)], test_type="bs")()
    before, after = found["BLEU"]
    return after.score > before.score and after.p_value < SIGNIFICANCE


def exact_match(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    """Percentage of hypotheses that equal their reference to the letter."""
    return 100 * float(np.mean([h == r for h, r in zip(hypotheses, references, strict=True)]))


def _exact_match_of_any(sources, hypotheses, references, others) -> float | None:
    if not any(source in others for source in sources):
        return None
    matches = [
        hypothesis == reference or hypothesis in others.get(source, ())
        for source, hypothesis, reference in zip(sources, hypotheses, references, strict=True)
    ]
    return 100 * float(np.mean(matches))


def _bleu_by_length(
    sources, hypotheses, references, bleu: sacrebleu.BLEU
) -> dict[str, tuple[float, int]]:
    buckets: dict[int, list[int]] = {}
    for i, source in enumerate(sources):
        buckets.setdefault(max(len(source.split()) - 1, 0) // BUCKET_WIDTH, []).append(i)
    scores = {}
    for bucket, members in sorted(buckets.items()):
        first = bucket * BUCKET_WIDTH + 1
        score = bleu.corpus_score(
            [hypotheses[i] for i in members], [[references[i] for i in members]]
        ).score
        scores[f"{first}-{first + BUCKET_WIDTH - 1}"] = (score, len(members))
    return scores
