"""Entries of the lexicon: words of both languages with what the grammar asks of them."""

from __future__ import annotations

from dataclasses import dataclass

ABSENT = "-"


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
class NameParts:
    """What syllables and ends of names are made of in one language; "" where there may be none."""

    language: str
    onsets: tuple[str, ...]
    vowels: tuple[str, ...]
    codas: tuple[str, ...]
    endings: tuple[str, ...]


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
