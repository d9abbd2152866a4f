"""What may stand in the slots of a template: `x=person(you;he;she)`, `y=the_noun(drink;=book)`.

Types with a list in brackets take nouns of these classes or lemmas; `=room` is the lemma where a
class has the same name, and `male&kin` what is in both classes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from research.grammar import lexicon, names
from research.grammar.english_verbs import is_plural
from research.grammar.entries import Expression, Noun
from research.grammar.even_random import EvenRandom
from research.grammar.german_forms import noun_gender
from research.grammar.nominals import natural_pronoun
from research.grammar.selection import nouns_in, possessives_of
from research.grammar.syntax import (
    HE,
    SHE,
    THEY,
    WE,
    YOU,
    Bare,
    Coordination,
    Count,
    I,
    Nominal,
    NounPhrase,
    PlaceName,
    Pronoun,
    ProperName,
)
from research.grammar.tables import listed, odds

_PRONOUNS = {"I": I, "you": YOU, "he": HE, "she": SHE, "we": WE, "they": THEY}
_SEXED = frozenset({"male", "female"})
Fillers = Mapping[str, Nominal]


@dataclass(frozen=True)
class Slot:
    """A place in a template: its name, and what is drawn for it."""

    name: str
    type: str
    arguments: tuple[str, ...]
    span: tuple[int, int] | None

    def draw(self, rng: EvenRandom, fillers: Fillers) -> Nominal:
        """Something that fits; `fillers` of the slots before it."""
        return _TYPES[self.type](self, rng, fillers)


def parse(text: str) -> tuple[Slot, ...]:
    """The slots of a cell: 'x=person(you;he); k=number:2-12'."""
    return tuple(_slot(*part.strip().split("=", 1)) for part in _split(text, ";"))


@cache
def _slot(name: str, text: str) -> Slot:
    head, bracket, inner = text.partition("(")
    kind, _, span = head.partition(":")
    low, _, high = span.partition("-")
    arguments = _split(inner.removesuffix(")"), "|" if kind == "one_of" else ";") if bracket else ()
    return Slot(name, kind, tuple(arguments), (int(low), int(high)) if span else None)


def _split(text: str, separator: str) -> list[str]:
    """Parts between separators that stand in no brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def pronoun_of(value: Nominal) -> Pronoun:
    """he, she or they for a person in a slot; a noun that tells no sex counts as 'he'."""
    is_one = isinstance(value, NounPhrase) and not is_plural(value)
    return natural_pronoun(value) or (HE if is_one else THEY)


def english_agreement(value: Nominal) -> tuple[int, bool]:
    """Person and number that an English verb takes from what is in a slot."""
    if isinstance(value, Pronoun):
        return value.person, value.plural
    return 3, isinstance(value, Coordination) or isinstance(value, NounPhrase) and is_plural(value)


def gender_of(value: Nominal) -> str:
    """The German gender of what is in a slot: m, f, n or p."""
    if isinstance(value, NounPhrase):
        return noun_gender(value.noun, value.plural, value.female)
    return value.gender


@cache
def _nouns(arguments: tuple[str, ...]) -> tuple[Noun, ...]:
    """The nouns of all arguments, each once."""
    return tuple(dict.fromkeys(noun for argument in arguments for noun in _listed(argument)))


@cache
def _listed(argument: str) -> tuple[Noun, ...]:
    if argument.startswith("="):
        return (lexicon.nouns()[argument[1:]],)
    first, *others = argument.split("&")
    return tuple(noun for noun in nouns_in(frozenset({first})) if noun.classes.issuperset(others))


def _noun(slot: Slot, rng: EvenRandom) -> Noun:
    return rng.word(_nouns(slot.arguments))


def _choice(slot: Slot, rng: EvenRandom, fillers: Fillers) -> Bare:
    chosen = rng.word(_expressions(slot))
    return Bare(chosen.english, chosen.german)


@cache
def _expressions(slot: Slot) -> tuple[Expression, ...]:
    return tuple(Expression(*argument.split("=", 1)) for argument in slot.arguments)


def _one_of(slot: Slot, rng: EvenRandom, fillers: Fillers) -> Nominal:
    return _slot(slot.name, rng.choice(slot.arguments)).draw(rng, fillers)


def _pronoun(slot: Slot, rng: EvenRandom, fillers: Fillers) -> Pronoun:
    return _PRONOUNS[rng.choice(slot.arguments or tuple(_PRONOUNS))]


def _person(slot: Slot, rng: EvenRandom, fillers: Fillers) -> Nominal:
    """A pronoun of the list; where it has he and she also a name or somebody.

    Where there is no 'I', it is no relative of mine: not 'What is my wife wearing?'
    """
    pronouns = slot.arguments or tuple(_PRONOUNS)
    if rng.chance("slots.pronoun") or not {"he", "she"} & set(pronouns):
        return _PRONOUNS[rng.choice(pronouns)]
    somebody = _third(slot, rng, fillers)
    while "I" not in pronouns and getattr(somebody, "determiner", "") in ("my", "our"):
        somebody = _third(slot, rng, fillers)
    return somebody


def _third(slot: Slot, rng: EvenRandom, fillers: Fillers) -> Nominal:
    draw = rng.random()
    if draw < odds("slots.name"):
        return names.person(rng)
    if draw < odds("slots.relation"):
        return _owned(rng.word(_nouns(("kin", "relation"))), rng)
    return NounPhrase(rng.word(_nouns(("profession", *listed("template_people")))))


def _known(slot: Slot, rng: EvenRandom, fillers: Fillers) -> Nominal:
    """Somebody whose sex is known: he, she, a name or a relative."""
    pronouns = slot.arguments or ("he", "she")
    if rng.chance("slots.known_pronoun") or not {"he", "she"} <= set(pronouns):
        return _PRONOUNS[rng.choice(pronouns)]
    if rng.chance("slots.known_name"):
        return names.person(rng, known=True)
    related = _nouns(("kin", "relation"))
    sexed = [noun for noun in related if noun.classes & _SEXED and noun.has_plural]
    return _owned(rng.word(sexed), rng)


def _owned(noun: Noun, rng: EvenRandom) -> NounPhrase:
    return NounPhrase(noun, rng.choice(possessives_of(noun)))


def _first_name(slot: Slot, rng: EvenRandom, fillers: Fillers) -> ProperName:
    return _of_sex(slot, lambda: names.first(rng))


def _known_name(slot: Slot, rng: EvenRandom, fillers: Fillers) -> ProperName:
    """A first name that tells the sex: 'Anna is a good cook', 'Anna ist eine gute Köchin'."""
    return _of_sex(slot, lambda: names.person(rng, known=True))


def _of_sex(slot: Slot, draw: Callable[[], ProperName]) -> ProperName:
    """A name of somebody of the sex that the slot asks for, of either if it asks for none."""
    name = draw()
    while slot.arguments and name.gender not in slot.arguments:
        name = draw()
    return name


def _full_name(slot: Slot, rng: EvenRandom, fillers: Fillers) -> ProperName:
    given = _first_name(slot, rng, fillers)
    if rng.chance("slots.one_name"):
        return given
    return ProperName(f"{given.name} {names.last(rng)}", given.gender)


def _last_name(slot: Slot, rng: EvenRandom, fillers: Fillers) -> ProperName:
    return ProperName(names.last(rng), "m")


def _city(slot: Slot, rng: EvenRandom, fillers: Fillers) -> PlaceName:
    return names.city(rng)


def _country(slot: Slot, rng: EvenRandom, fillers: Fillers) -> PlaceName:
    return names.country(rng)


def _nationality(slot: Slot, rng: EvenRandom, fillers: Fillers) -> Bare:
    """'German': 'Deutscher' or 'Deutsche', as the person in the slot that is named."""
    entry = rng.word(lexicon.nationalities())
    gender = _sex(fillers[slot.arguments[0]], rng)
    return Bare(entry.english, entry.german_f if gender == "f" else entry.german_m, gender)


def _job(slot: Slot, rng: EvenRandom, fillers: Fillers) -> NounPhrase:
    """'a teacher': 'Lehrer' or 'Lehrerin'."""
    person, *jobs = slot.arguments
    is_female = _sex(fillers[person], rng) == "f"
    return NounPhrase(rng.word(_nouns(tuple(jobs))), "job", female=is_female)


def _sex(person: Nominal, rng: EvenRandom) -> str:
    pronoun = pronoun_of(person)
    return pronoun.gender if pronoun.person == 3 else "m"


def _language(slot: Slot, rng: EvenRandom, fillers: Fillers) -> Bare:
    return Bare(*rng.choice(tuple(lexicon.languages().items())))


def _number(slot: Slot, rng: EvenRandom, fillers: Fillers) -> Count:
    return Count(rng.randint(*(slot.span or (2, 99))))


def _number_word(slot: Slot, rng: EvenRandom, fillers: Fillers) -> Count:
    return Count(rng.randint(*(slot.span or (2, 12))), spelled=True)


def _year(slot: Slot, rng: EvenRandom, fillers: Fillers) -> Count:
    return Count(rng.randint(*(slot.span or (1900, 2050))))


def _price(slot: Slot, rng: EvenRandom, fillers: Fillers) -> Bare:
    whole = rng.randint(*(slot.span or (2, 99)))
    if rng.chance("slots.whole_price"):
        return Bare(str(whole), str(whole))
    cents = rng.randrange(5, 100, 5)
    return Bare(f"{whole}.{cents:02}", f"{whole},{cents:02}")


def _clock(slot: Slot, rng: EvenRandom, fillers: Fillers) -> Bare:
    hour, minute = rng.randint(1, 23), rng.randrange(5, 60, 5)
    return Bare(f"{hour}:{minute:02}", f"{hour}.{minute:02}")


def _spoken_clock(slot: Slot, rng: EvenRandom, fillers: Fillers) -> Bare:
    """'2:35 pm', '14.35': a time with the half of the day, which German counts to 24."""
    hour, minute = rng.randint(*(slot.span or (1, 23))), rng.randrange(0, 60, 5)
    half = rng.choice(("am", "AM") if hour < 12 else ("pm", "PM"))
    in_twelve = (hour - 1) % 12 + 1
    english = f"{in_twelve}:{minute:02}" if minute or rng.chance("slots.whole_hour") else in_twelve
    return Bare(f"{english} {half}", f"{hour}.{minute:02}" if minute else str(hour))


def _plain_noun(slot_class: str) -> Callable[..., NounPhrase]:
    def draw(slot: Slot, rng: EvenRandom, fillers: Fillers) -> NounPhrase:
        return NounPhrase(rng.word(_nouns((slot_class,))), "zero")

    return draw


def _the_noun(slot: Slot, rng: EvenRandom, fillers: Fillers) -> NounPhrase:
    return NounPhrase(_noun(slot, rng))


def _the_plural(slot: Slot, rng: EvenRandom, fillers: Fillers) -> NounPhrase:
    return NounPhrase(_noun(slot, rng), plural=True)


def _my_noun(slot: Slot, rng: EvenRandom, fillers: Fillers) -> NounPhrase:
    return _owned(_noun(slot, rng), rng)


def _my_plural(slot: Slot, rng: EvenRandom, fillers: Fillers) -> NounPhrase:
    return replace(_my_noun(slot, rng, fillers), plural=True)


def _a_noun(slot: Slot, rng: EvenRandom, fillers: Fillers) -> NounPhrase:
    noun = _noun(slot, rng)
    is_bare = noun.is_mass or noun.gender == "p"
    return NounPhrase(noun, "zero" if is_bare else "indefinite")


def _portion(slot: Slot, rng: EvenRandom, fillers: Fillers) -> NounPhrase:
    """'a coffee', though coffee is not counted."""
    return NounPhrase(_noun(slot, rng), "indefinite")


def _bare_noun(slot: Slot, rng: EvenRandom, fillers: Fillers) -> NounPhrase:
    return NounPhrase(_noun(slot, rng), "zero")


def _bare_plural(slot: Slot, rng: EvenRandom, fillers: Fillers) -> NounPhrase:
    noun = _noun(slot, rng)
    return NounPhrase(noun, "zero", plural=noun.has_plural)


def _counted(slot: Slot, rng: EvenRandom, fillers: Fillers) -> NounPhrase:
    count = Count(rng.randint(*(slot.span or (2, 99))))
    return NounPhrase(_noun(slot, rng), "zero", plural=True, count=count)


def _counted_word(slot: Slot, rng: EvenRandom, fillers: Fillers) -> NounPhrase:
    phrase = _counted(replace(slot, span=slot.span or (2, 12)), rng, fillers)
    return replace(phrase, count=replace(phrase.count, spelled=True))


def _time_unit(slot: Slot, rng: EvenRandom, fillers: Fillers) -> NounPhrase:
    """'minutes', as in 'in 5 minutes'."""
    units = slot.arguments or ("minute", "hour", "day", "week", "month", "year")
    nouns = _nouns(tuple(f"={unit}" for unit in units))
    return NounPhrase(rng.choice(nouns), "zero", plural=True)


_TYPES: dict[str, Callable[[Slot, EvenRandom, Fillers], Nominal]] = {
    "choice": _choice,
    "one_of": _one_of,
    "pronoun": _pronoun,
    "person": _person,
    "known": _known,
    "third": _third,
    "first_name": _first_name,
    "known_name": _known_name,
    "full_name": _full_name,
    "last_name": _last_name,
    "city": _city,
    "country": _country,
    "nationality": _nationality,
    "job": _job,
    "language": _language,
    "number": _number,
    "number_word": _number_word,
    "year": _year,
    "price": _price,
    "clock": _clock,
    "spoken_clock": _spoken_clock,
    "weekday": _plain_noun("weekday"),
    "month": _plain_noun("month_name"),
    "season": _plain_noun("season"),
    "the_noun": _the_noun,
    "the_plural": _the_plural,
    "my_noun": _my_noun,
    "my_plural": _my_plural,
    "a_noun": _a_noun,
    "portion": _portion,
    "bare_noun": _bare_noun,
    "bare_plural": _bare_plural,
    "counted": _counted,
    "counted_word": _counted_word,
    "time_unit": _time_unit,
}
