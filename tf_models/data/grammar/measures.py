"""What only translations of the embedded corpus are measured by: pronouns, names and numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from tf_models.data.grammar import lexicon, names
from tf_models.data.grammar.pronoun_families import BY_MEANING, BY_PLACE
from tf_models.data.words import split_words

_PRONOUN = re.compile(r", (?:weil|obwohl) (er|sie|es) (?:zu |sehr )?\w+ (?:war|ist)\.?$")
_CLAUSE_PRONOUN = re.compile(r", (?:weil|obwohl) (er|sie|es)\b")
_REASON = re.compile(r" (?:because|although) it(?:'s| is| was) (?:too |very )?[\w ]+\.?$")

Share = tuple[float | None, int]
COPYING = "copies"


def family_of(source: str) -> str | None:
    """The pronoun family of an English sentence: BY_PLACE, BY_MEANING, or None for any other."""
    if not _REASON.search(source):
        return None
    if _verbs_of_meaning().search(source):
        return BY_MEANING
    return BY_PLACE if _verbs_of_place().search(source) else None


@cache
def _verbs_of_place() -> re.Pattern:
    """Not of 'Anna can't sleep because it is too cold'."""
    verbs = [lexicon.verb(pattern.verb) for pattern in lexicon.pronoun_patterns()]
    forms = sorted({form for verb in verbs for form in (verb.english, verb.third, verb.past)})
    return re.compile(rf" (?:{'|'.join(forms)}) ")


@cache
def _verbs_of_meaning() -> re.Pattern:
    verbs = [pattern.verb for pattern in lexicon.meaning_patterns()]
    forms = "|".join(sorted({form for verb in verbs for form in (verb.ing, verb.past)}))
    return re.compile(rf"\b(?:{forms}) ")


def pronoun_of(german_sentence: str) -> str | None:
    """The pronoun of a family sentence ('..., weil sie zu breit war.'), None for any other."""
    found = _PRONOUN.search(german_sentence.strip())
    return found[1] if found else None


def pronoun_accuracy(family: str) -> Callable[..., Share]:
    """(sources, hypotheses, references) -> share with the right pronoun, number of sentences.

    A hypothesis may go wrong elsewhere; only the pronoun after weil or obwohl counts.
    """

    def measure(sources, hypotheses, references) -> Share:
        return _share(
            _clause_pronoun(hypothesis) == pronoun_of(reference)
            for source, hypothesis, reference in zip(sources, hypotheses, references, strict=True)
            if family_of(source) == family and pronoun_of(reference)
        )

    return measure


def _clause_pronoun(sentence: str) -> str | None:
    found = _CLAUSE_PRONOUN.search(sentence)
    return found[1] if found else None


def copying_accuracy(sources, hypotheses, references) -> Share:
    """Share of the sentences with unseen names and numbers that keep them all, and their number."""
    wanted = [unseen_copies(*pair) for pair in zip(sources, references, strict=True)]
    return _share(
        copies <= set(split_words(hypothesis))
        for copies, hypothesis in zip(wanted, hypotheses, strict=True)
        if copies
    )


def unseen_copies(source: str, reference: str) -> frozenset[str]:
    """Names and numbers of a sentence that no training sentence has, as the translation has them.

    'Annas' is the copy of "Anna's".
    """
    written = {word.removesuffix("'s") for word in split_words(source)}
    genitives = {word.removesuffix("'s") for word in split_words(source) if word.endswith("'s")}
    copies = set()
    for word in split_words(reference):
        stem = word[:-1] if word.endswith("s") and word[:-1] in genitives else word
        if stem in written and _may_be_copied(stem) and names.is_held_out(stem):
            copies.add(word)
    return frozenset(copies)


def _may_be_copied(word: str) -> bool:
    return word.isdigit() or (word[0].isupper() and word not in _known_words())


@cache
def _known_words() -> frozenset[str]:
    """Words of the vocabulary that may happen to be the same in both languages."""
    nouns = {
        form for noun in lexicon.nouns().values() for form in (noun.german, noun.german_plural)
    }
    adverbs = {word for adverb in lexicon.adverbs().values() for word in adverb.german.split()}
    return frozenset({"In", "Am", *nouns, *adverbs, *lexicon.languages().values()})


def _share(outcomes: Iterable[bool]) -> Share:
    outcomes: Sequence[bool] = list(outcomes)
    if not outcomes:
        return None, 0
    return sum(outcomes) / len(outcomes), len(outcomes)


MEASURES = {
    BY_PLACE: pronoun_accuracy(BY_PLACE),
    BY_MEANING: pronoun_accuracy(BY_MEANING),
    COPYING: copying_accuracy,
}
