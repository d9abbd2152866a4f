"""English forms: determiners, pronouns, auxiliaries and numbers."""

from __future__ import annotations

from typing import NamedTuple

from research.grammar.syntax import Count, GradedAdjective, Pronoun

NEGATED_AUXILIARIES = {
    "can": "can't",
    "could": "couldn't",
    "must": "mustn't",
    "should": "shouldn't",
    "would": "wouldn't",
    "will": "won't",
    "do": "don't",
    "does": "doesn't",
    "did": "didn't",
    "is": "isn't",
    "are": "aren't",
    "was": "wasn't",
    "were": "weren't",
    "has": "hasn't",
    "have": "haven't",
}
_CONTRACTED = {"am": "'m", "is": "'s", "are": "'re", "will": "'ll", "have": "'ve", "has": "'s"}
_CONTRACTING = frozenset({"i", "you", "he", "she", "it", "we", "they"})
_TO_NINETEEN = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
NUMBER_WORDS = (
    *_TO_NINETEEN,
    *(f"{ten}-{one}" if one != "zero" else ten for ten in _TENS for one in _TO_NINETEEN[:10]),
)
"""The numbers from 0 to 99."""


class VerbForms(NamedTuple):
    """Principal parts of a verb."""

    base: str
    third: str
    past: str
    participle: str
    ing: str


BE = VerbForms("be", "is", "was", "been", "being")
# Modal -> its auxiliary by tense.
MODAL_AUXILIARIES = {
    "can": {"present": "can", "past": "could"},
    "must": {"present": "must"},
    "should": {"present": "should"},
    "would like": {"present": "would"},
    "would like to": {"present": "would"},
}
MODAL_COMPLEMENTS = {"would like": "like", "would like to": "like to"}
# Modal -> the verb that is inflected, and what stands between it and the infinitive.
MODAL_VERBS = {
    "want": (VerbForms("want", "wants", "wanted", "wanted", "wanting"), "to"),
    "have to": (VerbForms("have", "has", "had", "had", "having"), "to"),
    "like to": (VerbForms("like", "likes", "liked", "liked", "liking"), "to"),
    "be allowed to": (BE, "allowed to"),
}
_SILENT_H = ("honest", "hour")
_SOUNDS_LIKE_YOU = ("university", "uniform", "unit", "euro", "useful", "used", "one")
_DETERMINERS = {"definite": "the", "zero": "", "generic": "", "in general": ""}


def determiner(kind: str, plural: bool, following: str) -> str:
    """The determiner before the word that follows; empty for 'zero'."""
    if kind in ("indefinite", "job"):
        if plural:
            return ""  # 'I need glasses' is 'Ich brauche eine Brille'
        return "an" if _starts_with_a_vowel(following) else "a"
    if kind == "this" and plural:
        return "these"
    return _DETERMINERS.get(kind, kind)


def _starts_with_a_vowel(word: str) -> bool:
    lowered = word.lower()
    if lowered.startswith(_SOUNDS_LIKE_YOU):
        return False
    return lowered[0] in "aeiou" or lowered.startswith(_SILENT_H)


def contracted(pronoun: str, auxiliary: str) -> str | None:
    """ "I'm", "she'll"; None where nothing is contracted."""
    if pronoun.lower() not in _CONTRACTING or auxiliary not in _CONTRACTED:
        return None
    return pronoun + _CONTRACTED[auxiliary]


def adjective(graded: GradedAdjective) -> str:
    """An attributive adjective in its degree."""
    entry = graded.adjective
    if graded.degree == "positive":
        return entry.english
    return entry.comparative if graded.degree == "comparative" else entry.superlative


def count(number: Count) -> str:
    """In digits, or as a word."""
    return NUMBER_WORDS[number.number] if number.spelled else str(number.number)


def pronoun(entry: Pronoun, role: str) -> str:
    """A personal pronoun as 'subject' or 'object'."""
    if entry.inanimate:
        return "it"
    subject, other = {
        (1, False): ("I", "me"),
        (2, False): ("you", "you"),
        (1, True): ("we", "us"),
        (3, True): ("they", "them"),
        (3, False): ("she", "her") if entry.gender == "f" else ("he", "him"),
    }[entry.person, entry.plural]
    return subject if role == "subject" else other
