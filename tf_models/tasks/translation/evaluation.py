"""A translator against references."""

import functools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from tf_models.data.text.corpora import CorpusMetric
from tf_models.data.text.pairs import SentencePair
from tf_models.data.text.tokenizer import TokenizerPair
from tf_models.errors import InputError
from tf_models.tasks.translation.decoding_options import DecodingOptions
from tf_models.tasks.translation.metrics import (
    Scores,
    is_significantly_better,
    make_bleu,
    score_translations,
)
from tf_models.tasks.translation.protocol import TranslationModel
from tf_models.tasks.translation.translator import Translator
from tf_models.training.loop import Metric


def validation_bleu(
    model: TranslationModel,
    tokenizers: TokenizerPair,
    max_length: int,
    pairs: Sequence[SentencePair],
) -> Metric:
    """BLEU (cased) of greedy translations of `pairs`, with the weights that `model` has then."""
    translator = Translator(model, tokenizers, max_length)  # greedy by default
    return Metric("bleu", lambda: evaluate_translator(translator, pairs)[0].bleu)


class DecodingTrials:
    """Translations of `pairs` by a translator, decoded in one way and another.

    Args:
        load: the translator with the checkpoint of that name.
        pairs: sources and references.
    """

    def __init__(self, load: Callable[[str], Translator], pairs: Sequence[SentencePair]):
        self._pairs, self._hypotheses = pairs, {}
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
    beam_size: int | None = None,
    length_penalty: float | None = None,
    metrics: Sequence[CorpusMetric] = (),
    others: Mapping[str, Sequence[str]] = MappingProxyType({}),
    progress: bool = False,
) -> tuple[Scores, list[str]]:
    """Translate the sources of `pairs` and score them.

    A source that cannot be translated (too long for the model) counts as an empty translation.

    Args:
        pairs: sources and references.
        beam_size, length_penalty: see `Translator.translate`.
        metrics: what else the pairs' corpus can be measured by.
        others: further references, by source.
        progress: whether to show a bar on stderr.

    Returns:
        the scores, and the translation of each pair.

    Raises:
        InputError: there is no pair, or BLEU of the target language needs a package that is not
            installed.
    """
    if not pairs:
        raise InputError("there are no sentence pairs to evaluate on")
    language = translator.tokenizers.target.language
    make_bleu(language)  # refused before minutes are spent
    sources, references = (list(side) for side in zip(*pairs, strict=True))
    possible = [i for i, source in enumerate(sources) if translator.can_translate(source)]
    found = translator.translate(
        [sources[i] for i in possible],
        beam_size=beam_size,
        length_penalty=length_penalty,
        progress=progress,
    )
    hypotheses = [""] * len(sources)
    for i, (best, *_) in zip(possible, found, strict=True):
        hypotheses[i] = best.text
    unknown_rate = translator.tokenizers.source.unknown_rate(sources)
    scores = score_translations(
        sources, hypotheses, references, unknown_rate, language, metrics, others
    )
    return scores, hypotheses
