"""A translator against references: scores, and whether one is better than another by chance."""

import functools
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import sacrebleu
from sacrebleu.significance import PairedTest

from tf_models.data.text.corpora import CorpusMetric
from tf_models.data.text.pairs import SentencePair, report_skipped
from tf_models.data.text.tokenizer import TokenizerPair
from tf_models.errors import InputError, Report
from tf_models.tasks.translation.decoding_options import DecodingOptions
from tf_models.tasks.translation.protocol import TranslationModel
from tf_models.tasks.translation.translator import Translator

LENGTH_PENALTIES = (0.0, 0.3, 0.9, 1.2)  # beside the default
EXTENDED_GRID = (1.5, 1.8, 2.1, 2.4, 2.7, 3.0)  # tried while BLEU still rises
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
    """Score translations into a language (a two-letter code), sentence for sentence beside their
    references.

    There are as many sources, hypotheses and references. unknown_rate is that of the source pieces,
    0 to 1; the metrics are what else the corpus can be measured by; others are further references,
    by source. Raises InputError: BLEU of that language needs a package that is not installed.
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
    """BLEU of translations into a language, given as its code: "de"; an InputError if it needs a
    package that is not installed.
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

    It is sacreBLEU's paired bootstrap (Koehn 2004), 1,000 resamples, p below `SIGNIFICANCE`. The
    language is the two-letter code of the target language. Raises InputError: BLEU of that language
    needs a package that is not installed.
    """
    systems = [("baseline", list(baseline)), ("other", list(hypotheses))]
    metrics = {"BLEU": make_bleu(language)}
    _, found = PairedTest(systems, metrics, [list(references)], test_type="bs")()
    before, after = found["BLEU"]
    return after.score > before.score and after.p_value < SIGNIFICANCE


def exact_match(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    """Percentage of hypotheses that equal their reference to the letter."""
    return 100 * float(np.mean([h == r for h, r in zip(hypotheses, references, strict=True)]))


def _exact_match_of_any(
    sources: Sequence[str],
    hypotheses: Sequence[str],
    references: Sequence[str],
    others: Mapping[str, Sequence[str]],
) -> float | None:
    if not any(source in others for source in sources):
        return None
    matches = [
        hypothesis == reference or hypothesis in others.get(source, ())
        for source, hypothesis, reference in zip(sources, hypotheses, references, strict=True)
    ]
    return 100 * float(np.mean(matches))


def _bleu_by_length(
    sources: Sequence[str],
    hypotheses: Sequence[str],
    references: Sequence[str],
    bleu: sacrebleu.BLEU,
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


def validation_bleu(
    model: TranslationModel,
    tokenizers: TokenizerPair,
    max_length: int,
    pairs: Sequence[SentencePair],
) -> Callable[[], dict[str, float]]:
    """BLEU (cased) of greedy translations of `pairs`, with the weights that `model` has then."""
    translator = Translator(model, tokenizers, max_length)  # greedy by default
    return lambda: {"val_bleu": evaluate_translator(translator, pairs)[0].bleu}


class DecodingTrials:
    """Translations of `pairs` by a translator, decoded in one way and another.

    Args:
        load: the translator with the checkpoint of that name.
        pairs: sources and references.
    """

    def __init__(self, load: Callable[[str], Translator], pairs: Sequence[SentencePair]):
        self._pairs = pairs
        self._hypotheses: dict[DecodingOptions, list[str]] = {}
        # Trials come checkpoint by checkpoint, so one at a time is enough.
        self._load = functools.lru_cache(maxsize=1)(load)

    @classmethod
    def of_run(cls, run_dir: Path, pairs: Sequence[SentencePair]) -> "DecodingTrials":
        """Trials of the translator in a run directory."""
        return cls(functools.partial(Translator.load, run_dir), pairs)

    def bleu(self, decoding: DecodingOptions) -> float:
        """BLEU (cased)."""
        translator = self._load(decoding.checkpoint)
        self._language = translator.tokenizers.target.language
        scores, self._hypotheses[decoding] = evaluate_translator(
            translator,
            self._pairs,
            beam_size=decoding.beam_size,
            length_penalty=decoding.length_penalty,
            progress=True,
        )
        return scores.bleu

    def is_better(self, one: DecodingOptions, other: DecodingOptions) -> bool:
        """Whether one of two ways whose BLEU was measured is better, and hardly by chance."""
        references = [pair.target for pair in self._pairs]
        both = self._hypotheses[one], self._hypotheses[other]
        return is_significantly_better(*both, references, self._language)


def evaluate_translator(
    translator: Translator,
    pairs: Sequence[SentencePair],
    *,
    metrics: Sequence[CorpusMetric] = (),
    others: Mapping[str, Sequence[str]] = MappingProxyType({}),
    **decoding: Any,
) -> tuple[Scores, list[str]]:
    """Translate the sources of `pairs` and score them (see `score_translations`).

    A source that cannot be translated (too long for the model) counts as an empty translation.
    Pairs with an empty side do not count; stderr says how many there are. How to decode is said as
    to `Translator.translate`: beam_size, length_penalty, progress. Returns the scores, and the
    translation of each pair. Raises InputError: there is no pair, or BLEU of the target language
    needs a package that is not installed.
    """
    scored = [i for i, pair in enumerate(pairs) if all(map(str.strip, pair))]
    report_skipped(len(pairs) - len(scored), "with an empty side", "evaluation")
    if not scored:
        raise InputError("there are no sentence pairs to evaluate on")
    language = translator.tokenizers.target.language
    make_bleu(language)  # refused before minutes are spent
    sources, references = (list(side) for side in zip(*pairs, strict=True))
    possible = [i for i, source in enumerate(sources) if translator.can_translate(source)]
    found = translator.translate([sources[i] for i in possible], **decoding)
    hypotheses = [""] * len(sources)
    for i, (best, *_) in zip(possible, found, strict=True):
        hypotheses[i] = best.text
    read, written, right = ([side[i] for i in scored] for side in (sources, hypotheses, references))
    unknown_rate = translator.tokenizers.source.unknown_rate(read)
    scores = score_translations(read, written, right, unknown_rate, language, metrics, others)
    return scores, hypotheses


def choose_decoding(
    trials: DecodingTrials,
    checkpoints: Sequence[str],
    beam_size: int,
    *,
    seconds_left: Callable[[], float] = lambda: math.inf,
    report: Report = print,
) -> DecodingOptions:
    """The checkpoint and then the length penalty to decode with, for trials with `beam_size`.

    What comes first is kept unless something else is significantly better on the validation pairs:
    the first checkpoint, and its default penalty. The highest of many scores of the same pairs is
    partly luck. After the first trial none begins that would leave no time for another such one, of
    the test pairs.
    """
    found: dict[DecodingOptions, float] = {}
    seconds = 0.0

    def is_tried(decoding: DecodingOptions) -> bool:
        """Try it, if there is time; whether there was."""
        nonlocal seconds
        if found and seconds_left() < 2 * seconds:
            return False
        began = time.monotonic()
        found[decoding] = trials.bleu(decoding)
        seconds = time.monotonic() - began
        report(
            f"validation BLEU {found[decoding]:.2f}: checkpoint {decoding.checkpoint}, "
            f"beam {beam_size}, length penalty {decoding.length_penalty}"
        )
        return True

    kept, *others = filter(is_tried, (DecodingOptions(one, beam_size) for one in checkpoints))
    for other in others:
        kept = _significantly_better(trials, other, kept)
    kept = _choose_penalty(trials, kept, is_tried, found)
    report(f"chosen: checkpoint {kept.checkpoint}, length penalty {kept.length_penalty}")
    return kept


def _choose_penalty(
    trials: DecodingTrials,
    default: DecodingOptions,
    is_tried: Callable[[DecodingOptions], bool],
    found: Mapping[DecodingOptions, float],
) -> DecodingOptions:
    """The length penalty nearest to the default than which the best is not significantly better.

    (The one-standard-error rule of Breiman et al. 1984 is of this kind.) After the grid, ever
    greater ones are tried while BLEU rises with them. What was `found` has the default already.
    """
    tried = [default]
    for alpha in (*LENGTH_PENALTIES, *EXTENDED_GRID):
        decoding = replace(default, length_penalty=alpha)
        if not is_tried(decoding):
            break
        tried.append(decoding)
        if alpha >= LENGTH_PENALTIES[-1] and max(tried, key=found.__getitem__) != decoding:
            break  # BLEU no longer rises
    best = max(tried, key=found.__getitem__)
    nearest_first = sorted(tried, key=lambda one: abs(one.length_penalty - default.length_penalty))
    return next(one for one in nearest_first if _significantly_better(trials, best, one) == one)


def _significantly_better(
    trials: DecodingTrials, other: DecodingOptions, kept: DecodingOptions
) -> DecodingOptions:
    """`other` if it is significantly better, else what is kept."""
    return other if other != kept and trials.is_better(other, kept) else kept
