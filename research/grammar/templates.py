"""Conventional sentences, which no rule makes word by word: 'How old are you?', 'Wie alt bist du?'

A template of `templates.tsv` or `today.tsv` is a pattern for each language, and slots. In a pattern

    {x}                 is what fills slot x: in English as a subject, in German in the nominative
    {x.obj} {x.acc} …   in another case: obj and gen in English, acc, dat and gen in German
    {x:am|are|is|are}   agrees with it: I, you, one person or thing, several; or {y:is|are}
    {x.poss}            is its possessive, in German with an ending: {x.poss:f.acc}, or, by the
                        noun in another slot, {x.poss:y.acc}
    {a:y} {any:y}       is a, an or nothing before what is in slot y; any where it is not counted
    {kein:y.acc}        is ein, kein, dies, welch or der, with the ending that slot y asks for
    {x.pron} {x.refl.acc} {c.to}   he or she; mich, dich, sich; nach, in
    [1 …]               are words that translate those of the same number in the other language
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from research.grammar import english as english_words
from research.grammar import english_forms, german_clauses, german_forms, german_verbs, slots
from research.grammar.entries import ABSENT
from research.grammar.even_random import EvenRandom
from research.grammar.nominals import NO_PLAIN_GENITIVE, OWN_POSSESSIVES, is_distinct
from research.grammar.slots import Slot
from research.grammar.syntax import (
    Bare,
    Count,
    Filler,
    Nominal,
    NounPhrase,
    Phrase,
    PlaceName,
    Pronoun,
    ProperName,
)
from research.grammar.tables import listed
from research.grammar.text import Word, capitalised, words
from tf_models.data.sentences import split_words
from tf_models.errors import InputError

_TOKENS = re.compile(r"\[(?P<group>\d+) |(?P<close>\])|\{(?P<slot>[^}]+)\}|(?P<text>[^\s\[\]{}]+)")
_MOST_DRAWS = 1_000  # for one slot; a choice of two is exhausted much sooner
_COLUMNS = ("english", "german", "slots", "alternatives")


@dataclass(frozen=True)
class Template:
    """A conventional sentence in both languages.

    alternatives: other translations that are as good.
    """

    english: str
    german: str
    slots: tuple[Slot, ...]
    alternatives: tuple[str, ...]


@cache
def templates(table: str = "templates") -> tuple[Template, ...]:
    """All templates of a table, in its order: of "templates" or "today"."""
    text = resources.files(__package__).joinpath(f"{table}.tsv").read_text(encoding="utf-8")
    rows = csv.reader(text.splitlines()[1:], delimiter="\t", quoting=csv.QUOTE_NONE, strict=True)
    return tuple(template_of(cells) for cells in rows)


def template_of(cells: Sequence[str]) -> Template:
    """The template of a row of the table.

    Raises:
        InputError: a column is missing, or there is one too many.
    """
    if len(cells) != len(_COLUMNS):
        raise InputError(
            f"a row of templates has {len(_COLUMNS)} columns ({', '.join(_COLUMNS)}); "
            f"received {len(cells)}: {' | '.join(cells)}"
        )
    english, german, slots_cell, others = cells
    return Template(
        english,
        german,
        () if slots_cell == ABSENT else slots.parse(slots_cell),
        tuple(part.strip() for part in others.split(" | ") if part != ABSENT),
    )


def fill(template: Template, rng: EvenRandom) -> Phrase:
    """The template with something in each slot, and nothing twice but numbers.

    Raises:
        InputError: nothing fits that is not in another slot already.
    """
    fillers: dict[str, Nominal] = {}
    for slot in template.slots:
        fillers[slot.name] = _drawn(slot, template, fillers, rng)
    return Phrase(template, tuple(Filler(name, value) for name, value in fillers.items()))


def _drawn(slot: Slot, template: Template, fillers: dict[str, Nominal], rng: EvenRandom) -> Nominal:
    for _ in range(_MOST_DRAWS):
        value = slot.draw(rng, fillers)
        if _fits(value, slot, template, fillers):
            return value
    raise InputError(
        f"nothing fits slot {slot.name} of the template {template.english!r} that is not in "
        f"another slot; let it hold more than {slot.type}({';'.join(slot.arguments)})"
    )


def _fits(value: Nominal, slot: Slot, template: Template, fillers: dict[str, Nominal]) -> bool:
    """Whether the value is new, and goes with the preposition or genitive that is written."""
    is_owner = isinstance(value, ProperName) and f"{{{slot.name}.gen}}" in template.german
    if is_owner and value.name[-1] in NO_PLAIN_GENITIVE:
        return False
    if isinstance(value, PlaceName) and _is_elsewhere(value, slot.name, template.german):
        return False
    others = () if isinstance(value, Count) else fillers.values()
    return all(value != other and is_distinct(value, other) for other in others)


def _is_elsewhere(place: PlaceName, name: str, german: str) -> bool:
    """Whether the sentence would be in an island, where German is on it, or come out of islands."""
    if place.english not in listed("islands"):
        return False
    before = r"(in|aus)" if place.gender else "in"
    return re.search(rf"\b{before}\]? {{{name}\.dat}}", german) is not None


def english(phrase: Phrase) -> list[Word]:
    """The English words."""
    return capitalised(list(_expand(phrase.template.english, phrase, _english_slot)))


def german(phrase: Phrase) -> list[Word]:
    """The German words."""
    return _german(phrase.template.german, phrase)


def alternatives(phrase: Phrase) -> list[list[Word]]:
    """The words of the other German sentences that are as good."""
    return [_german(pattern, phrase) for pattern in phrase.template.alternatives]


def _german(pattern: str, phrase: Phrase) -> list[Word]:
    """Preposition and article in one word, where the article belongs to what is in a slot."""
    written: list[Word] = []
    for word in _expand(pattern, phrase, _german_slot):
        is_article = any(node.endswith("/determiner") for node in word.nodes)
        merged = written and is_article and german_forms.contracted(written[-1].text, word.text)
        if merged:
            written[-1] = Word(merged, written[-1].nodes + word.nodes)
        else:
            written.append(word)
    return capitalised(written)


def _expand(
    pattern: str, phrase: Phrase, fill_slot: Callable[[str, dict[str, Nominal]], list[Word]]
) -> Iterator[Word]:
    fillers = {filler.name: filler.value for filler in phrase.fillers}
    times: Counter[str] = Counter()
    for text, slot, group in _tokens(pattern):
        if slot:
            written = fill_slot(slot, fillers)
            times[slot.split(".")[0]] += 1
            yield from _in_group(_again(written, times[slot.split(".")[0]]), group)
        else:
            yield from (Word(part, group or (_mark_node(part),)) for part in split_words(text))


@cache
def _tokens(pattern: str) -> list[tuple[str, str, tuple[str, ...]]]:
    """(text, "", group) or ("", slot, group), group by group."""
    found, group = [], ()
    for token in _TOKENS.finditer(pattern):
        if token["group"]:
            group = (token["group"],)
        elif token["close"]:
            group = ()
        else:
            found.append((token["text"] or "", token["slot"] or "", group))
    return found


def _again(written: list[Word], time: int) -> list[Word]:
    """What stands twice in a sentence is aligned first with first, second with second."""
    if time == 1:
        return written
    return [
        word._replace(nodes=tuple(f"{node} ({time})" for node in word.nodes)) for word in written
    ]


def _in_group(written: list[Word], group: tuple[str, ...]) -> list[Word]:
    return [word._replace(nodes=word.nodes + group) for word in written]


def _chosen(text: str, at: str) -> list[Word]:
    """The words of a choice, which may have groups of its own."""
    if "[" not in text:
        return words(text, at)
    return [
        Word(part, tuple(f"{at}/{number}" for number in group))
        for inner, _, group in _tokens(text)
        for part in split_words(inner)
    ]


def _mark_node(part: str) -> str:
    """Marks stand in the same place in both languages; loose words have no counterpart."""
    return f"mark {part}" if part in "?!." else ""


def _english_slot(slot: str, fillers: dict[str, Nominal]) -> list[Word]:
    name, _, choices = slot.partition(":")
    if choices in fillers:  # {a:y}
        return words(_english_article(name, fillers[choices]), f"{choices}/determiner")
    if choices:
        return words(_agreeing(choices, fillers[name], _english_cell))
    name, _, form = slot.partition(".")
    value = fillers[name]
    if form == "poss":
        return words(_possessive(value), f"{name}/possessive")
    if form == "gen":
        return english_words.possessive(value, name)
    if form == "pron":
        return english_words.nominal(slots.pronoun_of(value), name)
    if isinstance(value, Bare):
        return _chosen(value.english, name)
    return english_words.nominal(value, name, "object" if form == "obj" else "subject")


def _english_article(kind: str, phrase: NounPhrase) -> str:
    is_counted = not phrase.noun.is_mass and not english_words.is_plural(phrase)
    if not is_counted:
        return "any" if kind == "any" else ""
    return english_forms.determiner("indefinite", False, phrase.noun.english)


def _german_slot(slot: str, fillers: dict[str, Nominal]) -> list[Word]:
    name, _, rest = slot.partition(":")
    if "|" in rest:
        return words(_agreeing(rest, fillers[name], _german_cell))
    if rest and "." not in name:  # {kein:y.acc}
        other, case = rest.split(".")
        return words(_article(name, slots.gender_of(fillers[other]), case), f"{other}/determiner")
    name, _, form = slot.partition(".")
    value = fillers[name]
    if form.startswith("poss"):
        return words(_german_possessive(value, form, fillers), f"{name}/possessive")
    if form.startswith("refl"):
        return words(_reflexive(value, form.removeprefix("refl.")))
    if form == "pron":
        return german_clauses.nominal(slots.pronoun_of(value), "nom", name)
    if form == "to":
        return words(german_clauses.place_direction(value))
    if isinstance(value, Bare):
        return _chosen(value.german, name)
    return german_clauses.nominal(value, form or "nom", name)


def _agreeing(choices: str, value: Nominal, cell: Callable[[Nominal], int]) -> str:
    """One of four forms (I, you, one, several) or of two (one, several)."""
    forms = choices.split("|")
    number = cell(value)
    return forms[number] if len(forms) == 4 else forms[number == 3]


def _english_cell(value: Nominal) -> int:
    person, plural = slots.english_agreement(value)
    return 3 if plural else person - 1


def _german_cell(value: Nominal) -> int:
    person, plural = german_verbs.agreement(value)
    return 3 if plural else person - 1


def _possessive(value: Nominal) -> str:
    return OWN_POSSESSIVES[slots.pronoun_of(value)]


def _german_possessive(value: Nominal, form: str, fillers: dict[str, Nominal]) -> str:
    """{x.poss:f.acc}, or {x.poss:y.acc} with the gender of what is in slot y."""
    stem = german_forms.EIN_WORDS[_possessive(value)]
    gender, case = form.removeprefix("poss:").split(".")
    if gender in fillers:
        gender = slots.gender_of(fillers[gender])
    return stem + german_forms.EIN_ENDINGS[gender][case]


def _article(stem: str, gender: str, case: str) -> str:
    if stem == "der":
        return german_forms.DEFINITE_ARTICLES[gender][case]
    endings = german_forms.DIESER_ENDINGS if stem in ("dies", "welch", "jed") else None
    return stem + (endings or german_forms.EIN_ENDINGS)[gender][case]


def _reflexive(value: Nominal, case: str) -> str:
    pronoun: Pronoun = slots.pronoun_of(value)
    if pronoun.person == 3:
        return "sich"
    return german_forms.pronoun(pronoun.person, pronoun.plural, "", case)
