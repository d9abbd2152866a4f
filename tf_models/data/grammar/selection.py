"""Which words go together: selectional restrictions, read from the classes in the lexicon."""

from functools import cache

from tf_models.data.grammar import lexicon
from tf_models.data.grammar.lexicon import Adjective, Noun, Verb

# Adjectives that contradict what the noun itself says.
_ILL_SUITED = {
    "old": frozenset({"young", "lamb"}),
    "young": frozenset({"grandfather", "grandmother"}),
}


@cache
def nouns_in(classes: frozenset[str]) -> tuple[Noun, ...]:
    """All nouns of the given classes."""
    return tuple(noun for noun in lexicon.nouns().values() if noun.belongs_to(classes))


@cache
def adjectives_for(noun: Noun) -> tuple[Adjective, ...]:
    """The adjectives that make sense with the noun."""
    return tuple(
        entry
        for entry in lexicon.adjectives().values()
        if noun.belongs_to(entry.classes) and is_apt(entry, noun)
    )


def is_apt(entry: Adjective, noun: Noun) -> bool:
    """Whether the adjective does not contradict the noun (no old child, no old lamb)."""
    return not noun.belongs_to(_ILL_SUITED.get(entry.english, frozenset()))


@cache
def verbs_with(frame: str) -> tuple[Verb, ...]:
    """All verbs that have the frame."""
    return tuple(verb for verb in lexicon.verbs() if frame in verb.frames)


@cache
def verbs_taking(noun: Noun) -> tuple[Verb, ...]:
    """The transitive verbs that people do to such a noun."""
    return tuple(
        verb
        for verb in verbs_with("transitive")
        if noun.belongs_to(verb.objects) and "person" in verb.subjects
    )
