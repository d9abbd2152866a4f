"""Names and numbers in a translation that no training sentence has."""

from __future__ import annotations

from functools import cache

from research.grammar import lexicon, names
from tf_models.data.sentences import split_words


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
    return word.isdecimal() or (word[0].isupper() and word not in _known_words())


@cache
def _known_words() -> frozenset[str]:
    """Words of the vocabulary that may happen to be the same in both languages."""
    nouns = {
        form for noun in lexicon.nouns().values() for form in (noun.german, noun.german_plural)
    }
    adverbs = {word for adverb in lexicon.adverbs().values() for word in adverb.german.split()}
    return frozenset({"In", "Am", *nouns, *adverbs, *lexicon.languages().values()})
