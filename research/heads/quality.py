"""Translations of a translator without one of its heads."""

from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

from research.heads.forced_attention import Sides
from research.heads.sentences import GoldSentence
from tf_models.data.annotated import BY_MEANING, BY_PLACE, pronoun_of
from tf_models.translation.evaluate import exact_match, make_bleu
from tf_models.translation.translate import Translator

MARGIN = 10  # beyond the longest reference; a model without a head may never come to an end


class Quality(NamedTuple):
    """Of greedy translations, 0 to 100; None where no sentence can show it.

    pronouns: er, sie or es is right, in the sentences of both families.
    """

    pronouns: float | None
    exact_match: float
    bleu: float


def with_max_length(translator: Translator, sentences: Sequence[Sides]) -> Translator:
    """The same model, which stops a little after the longest sentence."""
    sides = (translator.source, translator.target)
    texts = ([one.source for one in sentences], [one.target for one in sentences])
    lengths = [len(side.encode(t)) for side, of in zip(sides, texts, strict=True) for t in of]
    max_length = min(translator.max_length, max(lengths) + MARGIN)
    return Translator(translator.model, translator.tokenizers, max_length)


def translation_quality(translator: Translator, sentences: Sequence[GoldSentence]) -> Quality:
    """Translate the sentences with the weights that the model has now, and score them."""
    sources = [one.source for one in sentences]
    references = [one.target for one in sentences]
    hypotheses = [best.text for (best, *_) in translator.translate(sources, beam_size=1)]
    right = [
        pronoun_of(hypothesis) == pronoun_of(one.target)
        for hypothesis, one in zip(hypotheses, sentences, strict=True)
        if one.kind in (BY_PLACE, BY_MEANING)
    ]
    bleu = make_bleu(translator.tokenizers.target.language)
    return Quality(
        100 * fmean(right) if right else None,
        exact_match(hypotheses, references),
        bleu.corpus_score(hypotheses, [references]).score,
    )
