"""Names of people and places, and numbers: what a translator copies instead of knowing it.

Half of the names are freshly invented, so most of those in a training set occur there once: out of
parts of names of some thirty languages, so that a translator meets the letter sequences of them
all. Of all names and of the greater numbers a share is held out: none of it is ever trained on.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Sequence
from functools import cache

from research.grammar import lexicon
from research.grammar.entries import NameParts
from research.grammar.even_random import EvenRandom
from research.grammar.syntax import Count, PlaceName, ProperName
from research.grammar.tables import listed, odds

_HELD_OUT_SHARE = 12  # one in so many
_FIRST_COMMON = 13  # numbers below it are written as words, too


@cache
def is_held_out(word: str) -> bool:
    """Whether a name, or a number of two digits and more, never stands in training."""
    if word.isdecimal() and int(word) < 2 * _FIRST_COMMON:
        return False
    digest = hashlib.sha256(f"held out {word}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % _HELD_OUT_SHARE == 0


def invented(rng: EvenRandom, ending: str = "") -> str:
    """A name that nobody has, of one language, seldom of several.

    Syllables of `name_parts.tsv`, and often an ending; half of the names without marks on letters,
    as English mostly writes them. A given ending is that of a place.
    """
    language = rng.choice(lexicon.name_parts())
    count = rng.choice((1, 2) if ending else (1, 2, 2, 3))
    parts = [_syllable(rng, language) for _ in range(count)]
    if not ending and rng.chance("names.ending"):
        parts.append(_part(rng, language, "endings"))
    name = "".join(parts)
    name = ((_unmarked(name) if rng.chance("names.unmarked") else name) + ending).capitalize()
    is_a_name = 4 <= len(name) <= 13 and name.lower() not in _words()
    return name if is_a_name else invented(rng, ending)


@cache
def _words() -> frozenset[str]:
    """What syllables may spell by chance, though nobody is called so: 'Sense', 'Drive'."""
    return lexicon.no_names() | lexicon.forms()


def _syllable(rng: EvenRandom, language: NameParts) -> str:
    onset = "" if rng.chance("names.vowel_first") else _part(rng, language, "onsets")
    vowel = _part(rng, language, "vowels")
    is_long = rng.chance("names.long_vowel")
    while len(vowel) > 1 and not is_long:
        vowel = _part(rng, language, "vowels")
    return onset + vowel + (_part(rng, language, "codas") if rng.chance("names.coda") else "")


def _part(rng: EvenRandom, language: NameParts, kind: str) -> str:
    if rng.chance("names.foreign_part"):
        language = rng.choice(lexicon.name_parts())
    return rng.choice(getattr(language, kind))


def _unmarked(name: str) -> str:
    """'Gyongyi' for 'Gyöngyi'."""
    letters = unicodedata.normalize("NFD", name)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def person(rng: EvenRandom, known: bool = False) -> ProperName:
    """Somebody by first name, by full name, or by title and last name.

    known: with a real first name that is trained on, so that its sex can be known.
    """
    draw = rng.random()
    if known:
        return _known(rng)
    if draw < odds("names.first"):
        return first(rng)
    if draw < odds("names.full"):
        return full(rng)
    return ProperName(last(rng), rng.choice("mf"), title=True)


def _known(rng: EvenRandom) -> ProperName:
    while is_held_out((entry := _real(rng)).name):
        pass
    name = f"{entry.name} {last(rng)}" if rng.chance("names.known_in_full") else entry.name
    return ProperName(name, entry.gender)


def _real(rng: EvenRandom) -> lexicon.GivenName:
    return rng.choice(_listed_first_names())


@cache
def _listed_first_names() -> Sequence[lexicon.GivenName]:
    return tuple(lexicon.first_names().values())


def full(rng: EvenRandom) -> ProperName:
    """A first and a last name."""
    given = first(rng)
    return ProperName(f"{given.name} {last(rng)}", given.gender)


def first(rng: EvenRandom) -> ProperName:
    """A first name, real or invented."""
    if rng.chance("names.invented_first"):
        return ProperName(invented(rng), rng.choice("mf"))
    entry = _real(rng)
    return ProperName(entry.name, entry.gender)


def last(rng: EvenRandom) -> str:
    """A last name, real or invented."""
    return invented(rng) if rng.chance("names.invented_last") else rng.choice(lexicon.last_names())


def city(rng: EvenRandom) -> PlaceName:
    """A city of the table, or an invented one."""
    if rng.chance("names.invented_city"):
        name = invented(rng, rng.choice(listed("place_endings")))
        return PlaceName(name, name)
    place = rng.word(lexicon.cities())
    return PlaceName(place.english, place.german)


def country(rng: EvenRandom) -> PlaceName:
    """A country of the table."""
    place = rng.word(lexicon.countries())
    return PlaceName(place.english, place.german, place.gender)


def count(rng: EvenRandom, most: int = 9_999, least: int = 2) -> Count:
    """How many: a small number as a word or in digits, now and then a great one."""
    draw = rng.random()
    small = range(least, min(most + 1, _FIRST_COMMON))
    if small and draw < odds("count.spelled"):
        return Count(rng.choice(small), spelled=True)
    if least < 100 and draw < odds("count.small"):
        return Count(rng.randrange(least, min(most + 1, 100)))
    return Count(rng.randrange(least, most + 1))
