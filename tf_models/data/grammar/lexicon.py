"""The bilingual lexicon: typed rows of the tab-separated tables next to this module."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib import resources

ABSENT = "-"


@dataclass(frozen=True)
class Noun:
    """A noun with its English and German forms and the semantic classes it belongs to."""

    english: str
    english_plural: str
    german: str
    gender: str
    german_plural: str
    german_genitive: str
    german_weak: str
    feminine: str
    classes: frozenset[str]

    def belongs_to(self, classes: frozenset[str]) -> bool:
        """Whether the noun is in one of the classes; its lemma counts as a class of its own."""
        return self.english in classes or not self.classes.isdisjoint(classes)

    @property
    def is_mass(self) -> bool:
        """Mass nouns take neither the indefinite article nor a plural."""
        return "mass" in self.classes

    @property
    def has_plural(self) -> bool:
        """Whether the plural differs visibly from the singular in English."""
        return self.english_plural != ABSENT

    @property
    def is_person(self) -> bool:
        """Whether the noun denotes a human being."""
        return "person" in self.classes


@dataclass(frozen=True)
class Verb:
    """A verb with its principal parts in both languages and its selection restrictions.

    `infinitive`, `german_second`, `german_third` and `german_past` are those of the base verb;
    the separable prefix is kept apart, and only the participle contains it.
    """

    english: str
    third: str
    past: str
    participle: str
    ing: str
    infinitive: str
    prefix: str
    german_second: str
    german_third: str
    german_past: str
    german_participle: str
    auxiliary: str
    case: str
    english_preposition: str
    german_preposition: str
    frames: frozenset[str]
    subjects: frozenset[str]
    objects: frozenset[str]

    @property
    def has_progressive(self) -> bool:
        """Stative verbs have no progressive in English."""
        return self.ing != ABSENT

    @property
    def german_infinitive(self) -> str:
        """The full infinitive, the separable prefix included."""
        return self.joined(self.infinitive)

    def joined(self, form: str) -> str:
        """The form with the separable prefix in front, as at the end of a clause."""
        return form if self.prefix == ABSENT else self.prefix + form


@dataclass(frozen=True)
class Adjective:
    """An adjective with its degrees in both languages; `rank` orders stacked adjectives."""

    english: str
    comparative: str
    superlative: str
    german: str
    stem: str
    german_comparative: str
    german_superlative: str
    rank: int
    classes: frozenset[str]

    @property
    def is_gradable(self) -> bool:
        """Whether comparative and superlative are used."""
        return self.comparative != ABSENT

    @property
    def is_attributive(self) -> bool:
        """Whether the adjective may stand before a noun."""
        return self.stem != ABSENT


@dataclass(frozen=True)
class Adverb:
    """An adverbial word or phrase; `slot` is 'time', 'frequency' or 'manner'."""

    english: str
    german: str
    slot: str
    tenses: frozenset[str]
    may_be_fronted: bool


@dataclass(frozen=True)
class Preposition:
    """A preposition in one of its roles, with the German case that the role governs."""

    english: str
    german: str
    case: str
    role: str
    objects: frozenset[str]


@dataclass(frozen=True)
class GivenName:
    """A proper name, the same in both languages, and the sex of its bearer."""

    name: str
    gender: str


@dataclass(frozen=True)
class PronounPattern:
    """A frame of the pronoun family: which adjectives point to the subject, which to the object.

    `mode` is 'not' (not ... because it was too ...), 'plain_not' (the same without 'too'),
    'because' (affirmative) or 'although' (affirmative, with 'very').
    """

    verb: str
    mode: str
    subjects: frozenset[str]
    subject_adjectives: tuple[str, ...]
    objects: tuple[str, ...]
    object_adjectives: tuple[str, ...]


def _rows(table: str) -> list[dict[str, str]]:
    text = resources.files(__package__).joinpath(f"{table}.tsv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines(), delimiter="\t", strict=True))


def _classes(cell: str) -> frozenset[str]:
    return frozenset() if cell == ABSENT else frozenset(cell.split(";"))


@cache
def nouns() -> dict[str, Noun]:
    """All nouns by their English singular."""
    return {row["english"]: _noun(row) for row in _rows("nouns")}


def _noun(row: dict[str, str]) -> Noun:
    return Noun(
        english=row["english"],
        english_plural=row["english_plural"],
        german=row["german"],
        gender=row["gender"],
        german_plural=row["plural"],
        german_genitive=row["genitive"],
        german_weak=row["weak"],
        feminine=row["feminine"],
        classes=_classes(row["classes"]),
    )


@cache
def verbs() -> tuple[Verb, ...]:
    """All verbs in the order of the table."""
    sets = ("frames", "subjects", "objects")
    return tuple(
        Verb(**{name: _classes(cell) if name in sets else cell for name, cell in row.items()})
        for row in _rows("verbs")
    )


@cache
def verb(english: str, german_infinitive: str | None = None) -> Verb:
    """The verb with this English lemma; 'eat', 'know' and 'tell' are told apart by their German."""
    for entry in verbs():
        if entry.english == english and german_infinitive in (None, entry.german_infinitive):
            return entry
    raise KeyError(english)


@cache
def adjectives() -> dict[str, Adjective]:
    """All adjectives by their English positive."""
    found = {}
    for row in _rows("adjectives"):
        values = row | {"rank": int(row["rank"]), "classes": _classes(row["classes"])}
        found[row["english"]] = Adjective(**values)
    return found


@cache
def adverbs() -> dict[str, Adverb]:
    """All adverbials by their English form."""
    return {
        row["english"]: Adverb(
            english=row["english"],
            german=row["german"],
            slot=row["slot"],
            tenses=_classes(row["tenses"]),
            may_be_fronted=row["fronted"] == "yes",
        )
        for row in _rows("adverbs")
    }


@cache
def prepositions(role: str) -> tuple[Preposition, ...]:
    """The prepositions of a role ('direction', 'place', 'companion', ...)."""
    every = [
        Preposition(**(row | {"objects": _classes(row["objects"])}))
        for row in _rows("prepositions")
    ]
    return tuple(entry for entry in every if entry.role == role)


@cache
def preposition(english: str, role: str) -> Preposition:
    """The preposition with this English form in this role."""
    return next(entry for entry in prepositions(role) if entry.english == english)


@cache
def names() -> dict[str, GivenName]:
    """All personal names by their spelling."""
    return {row["name"]: GivenName(row["name"], row["gender"]) for row in _rows("names")}


@cache
def cities() -> tuple[str, ...]:
    """City names, the same in both languages."""
    return tuple(row["name"] for row in _rows("cities"))


@cache
def pronoun_patterns() -> tuple[PronounPattern, ...]:
    """The frames of the pronoun family."""
    return tuple(
        PronounPattern(
            verb=row["verb"],
            mode=row["mode"],
            subjects=_classes(row["subjects"]),
            subject_adjectives=tuple(row["subject_adjectives"].split(";")),
            objects=tuple(row["objects"].split(";")),
            object_adjectives=tuple(row["object_adjectives"].split(";")),
        )
        for row in _rows("pronoun_family")
    )
