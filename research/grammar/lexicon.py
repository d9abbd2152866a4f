"""The bilingual lexicon: typed rows of the tab-separated tables next to this module."""

from __future__ import annotations

import csv
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib import resources

ABSENT = "-"
_ARTICLES = {"a": "a", "an": "a", "the": "the", "own": "own"}
_BARE = frozenset({"weekday", "month_name", "feast", "sport", "school_subject"})


@dataclass(frozen=True, eq=False, slots=True)
class Noun:
    """A noun with its English and German forms and the semantic classes it belongs to.

    level: 1 for the words of the first lessons, 2 for those of the first year, 3 for rarer ones;
        verbs and adjectives have it, too.
    """

    english: str
    english_plural: str
    german: str
    gender: str
    german_plural: str
    german_genitive: str
    german_weak: str
    feminine: str
    classes: frozenset[str]
    level: int

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
    def is_plural_in_english(self) -> bool:
        """Whether English has the plural alone: 'the glasses are', 'die Brille ist'."""
        return not self.classes.isdisjoint({"pair", "plural"})

    @property
    def is_bare(self) -> bool:
        """Whether it never has an article: 'Christmas', 'on Monday', 'play football'."""
        return not self.classes.isdisjoint(_BARE)

    @property
    def is_person(self) -> bool:
        """Whether the noun denotes a human being."""
        return "person" in self.classes


@dataclass(frozen=True, eq=False, slots=True)
class Verb:
    """A verb with its principal parts in both languages and its selection restrictions.

    `infinitive`, `german_second`, `german_third` and `german_past` are those of the base verb;
    the separable prefix is kept apart, and only the participle contains it. `kind`: 'event' happens
    once, 'act' is short and can be repeated, 'activity' lasts a while, 'state' simply is so.

    object_is: 'known' ('closed the door'), 'new' ('has a dog'), 'any' of both, or a 'kind' ('likes
        dogs').
    uses: where it makes sense. 'liked': what people like to do; 'wished': what they would like to
        do and plan; 'told': commands; 'repeated': what is done again and again; 'one': with an
        object in the singular; 'own': with what belongs to the subject ('puts on her coat'), 'the':
        with nothing of anybody's ('applies for the job'); 'pitied': what goes wrong.
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
    object_is: str
    kind: str
    uses: frozenset[str]
    level: int

    @property
    def is_reflexive(self) -> bool:
        """Whether the German verb has 'sich'."""
        return not self.frames.isdisjoint({"reflexive", "reflexive_prepositional"})

    @property
    def is_state(self) -> bool:
        """What simply is so: it neither happens on Monday nor every day."""
        return self.kind == "state"

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


@dataclass(frozen=True, eq=False, slots=True)
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
    level: int

    @property
    def is_gradable(self) -> bool:
        """Whether comparative and superlative are used."""
        return self.comparative != ABSENT

    @property
    def is_attributive(self) -> bool:
        """Whether the adjective may stand before a noun."""
        return self.stem != ABSENT


@dataclass(frozen=True, eq=False, slots=True)
class Adverb:
    """An adverbial word or phrase, with the kinds or uses of verbs and the verbs that it suits.

    `slot`: 'time', 'frequency', 'manner', 'degree', 'place', 'goal', or 'first' for what only opens
    a sentence. Empty `kinds` or `verbs` suit all.
    """

    english: str
    german: str
    slot: str
    tenses: frozenset[str]
    may_be_fronted: bool
    kinds: frozenset[str]
    verbs: frozenset[str]

    def suits(self, verb: Verb) -> bool:
        """Whether it can be said of what the verb says."""
        fits_kind = not self.kinds or verb.kind in self.kinds or bool(verb.uses & self.kinds)
        return fits_kind and (not self.verbs or verb.english in self.verbs)


@dataclass(frozen=True)
class Preposition:
    """A preposition in one of its roles, with the German case that the role governs."""

    english: str
    german: str
    case: str
    role: str
    objects: frozenset[str]


@dataclass(frozen=True, eq=False, slots=True)
class Expression:
    """Words that need no grammar, in one place where they may be chosen."""

    english: str
    german: str


@dataclass(frozen=True, eq=False, slots=True)
class GivenName:
    """A first name, the same in both languages, and the sex of its bearer."""

    name: str
    gender: str


@dataclass(frozen=True, eq=False, slots=True)
class Place:
    """A city or a country; `gender` is '' where German has no article ('die Schweiz' has)."""

    english: str
    german: str
    gender: str = ""


@dataclass(frozen=True, eq=False, slots=True)
class Nationality:
    """Where somebody comes from: 'I am German', 'Ich bin Deutscher' or 'Deutsche'."""

    english: str
    german_m: str
    german_f: str
    country: str


@dataclass(frozen=True, eq=False, slots=True)
class Deed:
    """Something that somebody does, as the tables write it: 'rest', 'read=a book'.

    `article`: 'a', 'the', 'own' or 'zero'; two verbs of the same English are told apart by
    'wash/spülen'.
    """

    verb: Verb
    noun: Noun | None = None
    article: str = "zero"
    plural: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Reason:
    """How somebody may be, what they do because of it, and what they then do not."""

    state: Adjective
    degrees: tuple[str, ...]
    deeds: tuple[Deed, ...]
    undone: tuple[Deed, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Found:
    """Things that there are in some places, and how many at most."""

    things: tuple[Noun, ...]
    places: tuple[Noun, ...]
    most: int


@dataclass(frozen=True, eq=False, slots=True)
class Counted:
    """Things that one has, sees or buys in numbers between two limits."""

    verb: Verb
    things: tuple[Noun, ...]
    low: int
    high: int


@dataclass(frozen=True, eq=False, slots=True)
class PronounPattern:
    """A frame of the first pronoun family: which adjectives point to the subject, which to the
    object.

    `mode` is 'not' (not ... because it was too ...), 'plain_not' (the same without 'too'),
    'because' (affirmative) or 'although' (affirmative, with 'very'). Without `preposition` the
    second noun is the object.
    """

    verb: str
    preposition: Preposition | None
    mode: str
    subjects: tuple[Noun, ...]
    subject_adjectives: tuple[str, ...]
    objects: tuple[Noun, ...]
    object_adjectives: tuple[str, ...]


@dataclass(frozen=True, eq=False, slots=True)
class MeaningPattern:
    """A frame of the second pronoun family: nouns of two classes, either of which may come first,
    and the adjectives that are said of the one class and not of the other.

    Where `by_people`, they bring the one noun to the other; else the noun that comes first is the
    subject.
    """

    verb: Verb
    by_people: bool
    preposition: Preposition
    first: tuple[Noun, ...]
    first_adjectives: tuple[str, ...]
    second: tuple[Noun, ...]
    second_adjectives: tuple[str, ...]


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
