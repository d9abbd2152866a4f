"""Words by themselves."""

import pytest

from research.grammar import lexicon
from research.grammar.even_random import EvenRandom
from research.grammar.linearise import write
from research.grammar.syntax import Bare, Term
from research.grammar.terms import draw_term
from research.grammar.tests.trees import a, bare, the


@pytest.mark.parametrize(
    ("nominal", "english", "german"),
    [
        (bare("apple"), "apple", "Apfel"),
        (bare("apple", plural=True), "apples", "Äpfel"),
        (the("apple", "red"), "the red apple", "der rote Apfel"),
        (a("lamp", "new"), "a new lamp", "eine neue Lampe"),
        (the("brother", kind="my"), "my brother", "mein Bruder"),
        (Bare("to sleep", "schlafen"), "to sleep", "schlafen"),
    ],
)
def test_it_is_written_as_it_is_looked_up(nominal, english, german):
    written = write(Term(nominal))
    assert (written.english, written.german) == (english, german)


def test_a_word_that_is_adjective_and_noun_is_the_adjective():
    rng, german_of = EvenRandom(0), {}
    for _ in range(8_000):
        written = write(draw_term(rng))
        assert german_of.setdefault(written.english, written.german) == written.german
    assert "silver" in lexicon.nouns()
    assert german_of["silver"] == "silbern"
    assert german_of["red"] == "rot"
    assert german_of.keys().isdisjoint({"full", "frozen", "special"})
