"""The sentences whose 'it' is found by what an adjective can be said of."""

import pytest

from research.grammar import german_verbs, lexicon
from research.grammar.even_random import EvenRandom
from research.grammar.linearise import other_translations, relations, write
from research.grammar.pronoun_families import build_by_meaning, draw_by_meaning
from research.grammar.syntax import WE, I
from research.grammar.tables import listed

NOUNS = lexicon.nouns()
MEANING = lexicon.meaning_patterns()


def pattern(verb):
    return next(one for one in MEANING if one.verb.english == verb)


def by_meaning(verb, people, first, second, meant, adjective, past=True):
    nouns = NOUNS[first], NOUNS[second], NOUNS[meant]
    return build_by_meaning(pattern(verb), people, *nouns, adjective, past)


@pytest.mark.parametrize(
    ("tree", "source", "target"),
    [
        (by_meaning("bring", WE, "apple", "horse", "horse", "hungry"),
         "We brought the apple to the horse because it was hungry.",
         "Wir brachten den Apfel zum Pferd, weil es hungrig war."),
        (by_meaning("pull", WE, "dog", "soup", "soup", "salty", past=False),
         "We are pulling the dog away from the soup because it is salty.",
         "Wir ziehen den Hund von der Suppe weg, weil sie salzig ist."),
        (by_meaning("stand", None, "cow", "bus", "bus", "broken"),
         "The cow stood behind the bus because it was broken.",
         "Die Kuh stand hinter dem Bus, weil er kaputt war."),
    ],
)  # fmt: skip
def test_by_meaning(tree, source, target):
    written = write(tree)
    assert (written.english, written.german) == (source, target)


def test_the_other_translation_has_the_perfect():
    tree = by_meaning("pull", WE, "dog", "soup", "soup", "salty")
    expected = "Wir haben den Hund von der Suppe weggezogen, weil sie salzig war."
    assert other_translations(tree) == (expected,)


def test_every_verb_of_the_table_of_the_first_family_is_drawn():
    assert set(listed("verbs_by_place")) == {one.verb for one in lexicon.pronoun_patterns()}


@pytest.mark.parametrize(
    ("verb", "people", "meant", "word"),
    [("bring", WE, "horse", 6), ("bring", WE, "apple", 3), ("stand", None, "cow", 1)],
)
def test_the_pronoun_refers_to_the_noun_that_is_meant(verb, people, meant, word):
    first, second = ("apple", "horse") if people else ("cow", "bus")
    tree = by_meaning(verb, people, first, second, meant, "hungry")
    written = write(tree)
    (found,) = [one for one in relations(tree, written.source) if one.kind == "reference"]
    assert written.source[found.word].text == "it"
    assert found.head == word
    assert written.source[word].text == meant


def test_no_adjective_of_the_one_is_said_of_the_other():
    for one in MEANING:
        sides = (one.first_adjectives, one.second), (one.second_adjectives, one.first)
        for names, nouns in sides:
            for adjective in map(lexicon.adjectives().__getitem__, names):
                assert [noun for noun in nouns if noun.belongs_to(adjective.classes)] == []


def test_what_is_fresh_is_not_the_weather_and_no_animal():
    """'weil es frisch war' is chilly weather, and a chicken may be fresh, too."""
    edible = {"chicken", "lamb", "goose", "duck", "rabbit"}
    for one in MEANING:
        if {"fresh", "juicy", "rotten", "tasty"} & set(one.second_adjectives):
            assert edible.isdisjoint(noun.english for noun in one.first)
        if "fresh" in one.second_adjectives:
            assert "n" not in {noun.gender for noun in one.second}


def test_several_people_bring_it():
    """Not one: German 'er' might then be the man who brings the apple."""
    rng = EvenRandom(0)
    for _ in range(500):
        clause = draw_by_meaning(rng)[0].clause
        if clause.object is not None and clause.subject != I:
            assert german_verbs.agreement(clause.subject)[1]


def test_a_group_holds_its_nouns_and_no_class_of_that_name():
    fruits = next(one.second for one in MEANING if "sour" in one.second_adjectives)
    assert NOUNS["fruit"] in fruits
    assert NOUNS["banana"] not in fruits
