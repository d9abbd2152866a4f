"""A translator against references."""

from collections.abc import Sequence

from tf_models.data.pairs import SentencePair
from tf_models.decoding.scores import Scores, score_translations
from tf_models.decoding.translator import LENGTH_PENALTY, Translator
from tf_models.errors import InputError


def evaluate_translator(
    translator: Translator,
    pairs: Sequence[SentencePair],
    *,
    beam_size: int = 1,
    length_penalty: float = LENGTH_PENALTY,
    progress: bool = False,
) -> tuple[Scores, list[str]]:
    """Translate the sources of `pairs` and score them.

    A source that cannot be translated (too long for the model) counts as an empty translation.

    Returns:
        the scores, and the translation of each pair.

    Raises:
        InputError: there is no pair.
    """
    if not pairs:
        raise InputError("there are no sentence pairs to evaluate on")
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
    return score_translations(sources, hypotheses, references, unknown_rate), hypotheses
