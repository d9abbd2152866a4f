"""A part of the lexicon: the words that a smaller corpus is written with."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from research.grammar import lexicon
from research.grammar.entries import (
    Adjective,
    Adverb,
    Expression,
    GivenName,
    NameParts,
    Noun,
    Place,
    Verb,
)
from research.grammar.syntax import Bare, Count, PlaceName, ProperName, nodes_of
from research.grammar.tables import section
from research.grammar.templates import Template
from tf_models.data.sentences import split_words

_CHOICES = re.compile(r"\{\w+:([^}]*\|[^}]*)\}")
_GROUPS = re.compile(r"\[\d+ |\]")
_SLOTS_AND_GROUPS = re.compile(rf"\{{[^}}]*\}}|{_GROUPS.pattern}")


class Vocabulary:
    """The words of a table.

    It lists nouns, verbs, adjectives, adverbs, first names, places, languages and others, verbs
    as 'know/wissen' where one English verb is several German ones. It says how long names and
    templates may be, which templates may be longer and which are left out, how great numbers may
    be, and of which languages names are invented.
    """

    def __init__(self, table: Mapping[str, Any]) -> None:
        nouns, adjectives, adverbs = lexicon.nouns(), lexicon.adjectives(), lexicon.adverbs()
        self._entries = {
            *(nouns[name] for name in table["nouns"]),
            *(adjectives[name] for name in table["adjectives"]),
            *(adverbs[name] for name in table["adverbs"]),
            *(verb for name in table["verbs"] for verb in _verbs(name)),
        }
        forms = (form for entry in self._entries for form in _forms(entry))
        listed = (*table["places"], *table["languages"], *table["others"])
        self._words = frozenset(word.lower() for text in (*forms, *listed) for word in text.split())
        self._places = frozenset(table["places"])
        self._longest_name = table["longest_name"]
        self._name_languages = frozenset(table["name_languages"])
        self._longest_template = table["longest_template"]
        self._longer_templates = frozenset(table["longer_templates"])
        self._excluded_templates = frozenset(table["excluded_templates"])
        self._largest_number = table["largest_number"]
        self._infinitives = {
            f"to {entry.english}" for entry in self._entries if isinstance(entry, Verb)
        }
        self._first_names = frozenset(table["first_names"])
        # One look-up by type: a corpus asks millions of times.
        self._tests: dict[type, Callable[[Any], bool]] = {
            tuple: lambda entries: all(map(self.has, entries)),
            **dict.fromkeys((Noun, Verb, Adjective, Adverb), self._entries.__contains__),
            Template: self._has_template,
            Count: lambda entry: entry.number <= self._largest_number,
            **dict.fromkeys((Expression, Bare), self._has_expression),
            ProperName: lambda entry: all(map(self._is_plain, entry.name.split())),
            PlaceName: self._has_name_of_a_place,
            Place: lambda entry: entry.english in self._places,
            GivenName: lambda entry: entry.name in self._first_names,
            NameParts: lambda entry: entry.language in self._name_languages,
        }

    def has(self, entry: object) -> bool:
        """Whether an entry of the lexicon is in it, or all of several.

        What is no entry always is.
        """
        test = self._tests.get(type(entry))
        return test is None or test(entry)

    def _has_expression(self, entry: Expression | Bare) -> bool:
        is_verb = not entry.english.startswith("to ") or entry.english in self._infinitives
        return is_verb and _words(entry.english) <= self._words

    def _has_name_of_a_place(self, entry: PlaceName) -> bool:
        is_copied = entry.english == entry.german and self._is_plain(entry.english)
        return is_copied or entry.english in self._places

    def _has_template(self, entry: Template) -> bool:
        template = entry.english
        is_short = len(_GROUPS.sub("", template).split()) <= self._longest_template
        has_length = is_short or template in self._longer_templates
        is_of_its_words = _literals(template) <= self._words
        return has_length and is_of_its_words and template not in self._excluded_templates

    def _is_plain(self, name: str) -> bool:
        return name.isascii() and len(name) <= self._longest_name

    def has_all(self, tree: object) -> bool:
        """Whether all words of a sentence are in it."""
        return all(map(self.has, nodes_of(tree)))


def _verbs(name: str) -> list[Verb]:
    english, _, german = name.partition("/")
    return [
        verb
        for verb in lexicon.verbs()
        if verb.english == english and german in ("", verb.german_infinitive)
    ]


def _forms(entry: Noun | Verb | Adjective | Adverb) -> tuple[str, ...]:
    if isinstance(entry, Noun):
        return entry.english, entry.english_plural
    if isinstance(entry, Adjective):
        return entry.english, entry.comparative, entry.superlative
    if isinstance(entry, Verb):
        return entry.english, entry.third, entry.past, entry.participle, entry.ing
    return (entry.english,)


@cache
def _literals(pattern: str) -> frozenset[str]:
    """The words of a template that stand in no slot, and all its forms that agree with one."""
    agreeing = (form for found in _CHOICES.findall(pattern) for form in found.split("|"))
    return _words(pattern).union(*map(_words, agreeing))


@cache
def _words(pattern: str) -> frozenset[str]:
    """The words of a text in small letters, without the marks of templates."""
    words = split_words(_SLOTS_AND_GROUPS.sub(" ", pattern).lower())
    return frozenset(word for word in words if word[0].isalpha())


@cache
def toy() -> Vocabulary:
    """That of the corpus `toy`."""
    return Vocabulary(section("toy"))
