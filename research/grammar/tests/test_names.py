"""Names of people and places."""

import re

from research.grammar import lexicon, names
from research.grammar.even_random import EvenRandom


def test_invented_names_can_be_said_and_hardly_repeat():
    rng = EvenRandom(0)
    made = [names.invented(rng) for _ in range(2000)]

    assert all(re.fullmatch(r"[A-Z][a-z]{3,12}", name) for name in made)
    assert len(set(made)) > 1900
    often = {names.invented(rng) for _ in range(30_000)}
    assert often.isdisjoint({"Bone", "Maze", "Nepal", "Lime", "Gate", "Sense"})


def test_no_name_is_a_word_of_the_lexicon():
    """'Sense owned a hotel' would leave open what 'Sense' is."""
    rng = EvenRandom(3)
    made = {names.invented(rng).lower() for _ in range(60_000)}
    assert made.isdisjoint(lexicon.forms())
    assert {"drive", "liebe", "tiger"} <= lexicon.forms()


def test_a_share_of_all_names_is_held_out():
    rng = EvenRandom(1)
    for drawn in (
        [names.invented(rng) for _ in range(3000)],
        list(lexicon.first_names()),
        [str(number) for number in range(100, 5000)],
    ):
        share = sum(map(names.is_held_out, drawn)) / len(drawn)
        assert 0.05 < share < 0.12
    assert not any(names.is_held_out(str(number)) for number in range(26))


def test_a_known_name_is_real_and_trained_on():
    rng = EvenRandom(2)
    for _ in range(200):
        person = names.person(rng, known=True)
        assert lexicon.first_names()[person.name].gender == person.gender
        assert not names.is_held_out(person.name)
