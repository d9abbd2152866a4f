"""The bilingual lexicon: typed rows of the tab-separated tables next to this module."""

from __future__ import annotations

import csv
from dataclasses import fields, replace
from functools import cache
from importlib import resources

from research.grammar.entries import (
    ABSENT,
    Adjective,
    Adverb,
    Counted,
    Deed,
    Found,
    GivenName,
    MeaningPattern,
    NameParts,
    Nationality,
    Noun,
    Place,
    Preposition,
    PronounPattern,
    Reason,
    Verb,
)

_ARTICLES = {"a": "a", "an": "a", "the": "the", "own": "own"}


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
        level=int(row["level"]),
    )


@cache
def verbs() -> tuple[Verb, ...]:
    """All verbs in the order of the table."""
    sets = ("frames", "subjects", "objects", "uses")
    rows = [row | {name: _classes(row[name]) for name in sets} for row in _rows("verbs")]
    return tuple(Verb(**row | {"level": int(row["level"])}) for row in rows)


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
        numbers = {name: int(row[name]) for name in ("rank", "level")}
        values = row | numbers | {"classes": _classes(row["classes"])}
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
            kinds=_classes(row["kinds"]),
            verbs=_classes(row["verbs"]),
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
def first_names() -> dict[str, GivenName]:
    """First names of many origins by their spelling."""
    return {row["name"]: GivenName(row["name"], row["gender"]) for row in _rows("first_names")}


@cache
def last_names() -> tuple[str, ...]:
    """Family names of many origins."""
    return tuple(row["name"] for row in _rows("last_names"))


@cache
def name_parts() -> tuple[NameParts, ...]:
    """What names are invented from, language by language."""
    return tuple(
        NameParts(row["language"], *(_parts(row[field.name]) for field in fields(NameParts)[1:]))
        for row in _rows("name_parts")
    )


def _parts(cell: str) -> tuple[str, ...]:
    return tuple("" if part == ABSENT else part for part in cell.split())


@cache
def no_names() -> frozenset[str]:
    """Common words of both languages, besides those of the tables, that would look like names."""
    return frozenset(row["word"] for row in _rows("no_names"))


@cache
def forms() -> frozenset[str]:
    """The words of the tables of nouns, verbs, adjectives and adverbials, in small letters."""
    tables = (nouns().values(), verbs(), adjectives().values(), adverbs().values())
    rows = [row for table in tables for row in table]
    cells = [getattr(row, field.name) for row in rows for field in fields(row)]
    return frozenset(
        word for cell in cells if isinstance(cell, str) for word in cell.lower().split()
    )


@cache
def cities() -> tuple[Place, ...]:
    """Cities, all without article."""
    return tuple(Place(row["name"], row["german"]) for row in _rows("cities"))


@cache
def countries() -> tuple[Place, ...]:
    """Countries, some with an article in German."""
    return tuple(
        Place(row["english"], row["german"], "" if row["gender"] == ABSENT else row["gender"])
        for row in _rows("countries")
    )


@cache
def nationalities() -> tuple[Nationality, ...]:
    """What people of a country are called."""
    return tuple(Nationality(**row) for row in _rows("nationalities"))


@cache
def languages() -> dict[str, str]:
    """German names of languages by their English ones."""
    return {row["english"]: row["german"] for row in _rows("languages")}


@cache
def reasons() -> tuple[Reason, ...]:
    """States of people with their consequences."""
    return tuple(
        Reason(
            adjectives()[row["state"]],
            tuple(row["degrees"].split(";")),
            _deeds(row["deeds"]),
            _deeds(row["undone"]),
        )
        for row in _rows("reasons")
    )


@cache
def scenes() -> tuple[tuple[Deed, ...], ...]:
    """Deeds that go together, each scene in the order in which one does them."""
    return tuple(_deeds(row["deeds"]) for row in _rows("scenes"))


def _deeds(cell: str) -> tuple[Deed, ...]:
    return () if cell == ABSENT else tuple(_deed(text) for text in cell.split(";"))


def _deed(text: str) -> Deed:
    name, _, thing = text.partition("=")
    english, _, german = name.partition("/")
    entry = verb(english, german or None)
    if not thing:
        return Deed(entry)
    article, _, noun = thing.partition(" ")
    if article not in _ARTICLES:
        article, noun = "zero", thing
    singular, plural = nouns().get(noun), _by_plural().get(noun)
    return Deed(entry, singular or plural, _ARTICLES.get(article, article), singular is None)


@cache
def _by_plural() -> dict[str, Noun]:
    return {noun.english_plural: noun for noun in nouns().values()}


@cache
def found() -> tuple[Found, ...]:
    """What there is where."""
    return tuple(
        Found(_listed(row["things"]), _listed(row["places"]), int(row["most"]))
        for row in _rows("existence")
    )


@cache
def counted() -> tuple[Counted, ...]:
    """What is counted."""
    return tuple(
        Counted(_deed(row["verb"]).verb, _listed(row["things"]), int(row["low"]), int(row["high"]))
        for row in _rows("counted")
    )


def _listed(cell: str) -> tuple[Noun, ...]:
    return tuple(nouns()[name] for name in cell.split(";"))


@cache
def pronoun_patterns() -> tuple[PronounPattern, ...]:
    """The frames of the pronoun family."""
    return tuple(
        PronounPattern(
            verb=row["verb"],
            preposition=_direction(row["preposition"]),
            mode=row["mode"],
            subjects=_members(row["subjects"]),
            subject_adjectives=tuple(row["subject_adjectives"].split(";")),
            objects=tuple(nouns()[name] for name in row["objects"].split(";")),
            object_adjectives=tuple(row["object_adjectives"].split(";")),
        )
        for row in _rows("pronoun_family")
    )


@cache
def _noun_groups() -> dict[str, tuple[Noun, ...]]:
    """Nouns that only the pronoun families put together, by the name of the group."""
    return {
        row["group"]: tuple(nouns()[name] for name in row["nouns"].split(";"))
        for row in _rows("pronoun_groups")
    }


def _members(name: str) -> tuple[Noun, ...]:
    """The nouns of a group, or those of a class."""
    of_class = (noun for noun in nouns().values() if name in noun.classes)
    return _noun_groups().get(name) or tuple(of_class)


def _direction(english: str) -> Preposition | None:
    return None if english == ABSENT else preposition(english, "container_direction")


@cache
def meaning_patterns() -> tuple[MeaningPattern, ...]:
    """The frames of the second pronoun family."""
    return tuple(_meaning_pattern(row) for row in _rows("pronoun_meaning"))


def _meaning_pattern(row: dict[str, str]) -> MeaningPattern:
    english, german = row["english_preposition"], row["german_preposition"]
    entry = verb(row["verb"], row["german_verb"])
    if (prefix := row["german_prefix"]) != ABSENT:  # 'pull away from': 'zog ... weg'
        participle = prefix + entry.german_participle
        entry = replace(entry, prefix=prefix, german_participle=participle)
    return MeaningPattern(
        verb=entry,
        by_people=row["agent"] == "people",
        preposition=Preposition(english, german, row["case"], "object", frozenset()),
        first=_members(row["first"]),
        first_adjectives=tuple(row["first_adjectives"].split(";")),
        second=_members(row["second"]),
        second_adjectives=tuple(row["second_adjectives"].split(";")),
    )
