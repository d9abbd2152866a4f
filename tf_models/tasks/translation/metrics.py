"""Scores of translations against references."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import sacrebleu

from tf_models.data.grammar import pronoun_accuracy
from tf_models.errors import InputError

BUCKET_WIDTH = 5  # source words in a length bucket


@dataclass(frozen=True)
class Scores:
    """How well hypotheses match references; BLEU, chrF and exact match run from 0 to 100.

    bleu, bleu_lowercased: sacreBLEU with the tokenizer that it has for the language, mostly 13a;
        signature: how they were computed.
    chrf: chrF2. exact_match: share of hypotheses that equal their reference.
    unknown_rate: share of source pieces that the tokenizer does not know, 0 to 1.
    pronoun_accuracy: percentage of the embedded corpus' sentences such as "The animal didn't cross
        the street because it was too tired" with the right er, sie or es; None without any.
    pronouns: number of such sentences.
    bleu_by_length: BLEU of the sentences with 1-5, 6-10 … source words, and their number.
    """

    sentences: int
    bleu: float
    bleu_lowercased: float
    signature: str
    signature_lowercased: str
    chrf: float
    exact_match: float
    unknown_rate: float
    pronoun_accuracy: float | None
    pronouns: int
    bleu_by_length: dict[str, tuple[float, int]]


def score_translations(
    sources: Sequence[str],
    hypotheses: Sequence[str],
    references: Sequence[str],
    unknown_rate: float,
    language: str,
) -> Scores:
    """Score translations into a language, sentence for sentence beside their references.

    Raises:
        InputError: BLEU of that language needs a package that is not installed.
    """
    cased, lowercased = make_bleu(language), make_bleu(language, lowercase=True)
    pronouns_right, pronouns = pronoun_accuracy(list(hypotheses), list(references))
    return Scores(
        sentences=len(references),
        bleu=cased.corpus_score(hypotheses, [references]).score,
        bleu_lowercased=lowercased.corpus_score(hypotheses, [references]).score,
        signature=str(cased.get_signature()),
        signature_lowercased=str(lowercased.get_signature()),
        chrf=sacrebleu.CHRF().corpus_score(hypotheses, [references]).score,
        exact_match=exact_match(hypotheses, references),
        unknown_rate=unknown_rate,
        pronoun_accuracy=None if pronouns_right is None else 100 * pronouns_right,
        pronouns=pronouns,
        bleu_by_length=_bleu_by_length(sources, hypotheses, references, cased),
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


def exact_match(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    """Percentage of hypotheses that equal their reference to the letter."""
    return 100 * float(np.mean([h == r for h, r in zip(hypotheses, references, strict=True)]))


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
