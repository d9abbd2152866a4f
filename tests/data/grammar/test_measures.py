"""Pronouns, names and numbers in translations of the embedded corpus."""

import pytest

from tf_models.data.grammar.linearise import write
from tf_models.data.grammar.measures import (
    copying_accuracy,
    family_of,
    pronoun_accuracy,
    pronoun_of,
    unseen_copies,
)
from tf_models.data.grammar.names import is_held_out
from tf_models.data.grammar.pronoun_families import BY_MEANING, BY_PLACE
from tf_models.data.grammar.sampling import sentence_sampler

UNSEEN = next(
    name
    for name in ("Anka", "Belo", "Ciro", "Dilma", "Enzo", "Fumi")
    + tuple(f"Za{letter}o" for letter in "bcdfghjklmnprstvw")
    if is_held_out(name)
)
SEEN = next(name for name in ("Anna", "Tom", "Paul", "Emma") if not is_held_out(name))
NUMBER = next(str(number) for number in range(100, 999) if is_held_out(str(number)))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Das Tier überquerte die Straße nicht, weil es zu müde war.", "es"),
        ("Der Bär erreichte das Dorf, obwohl es sehr abgelegen war", "es"),
        ("Die Schlange erreicht den See nicht, weil er zu abgelegen ist.", "er"),
        ("Die Frau lächelte, weil er sie einlud.", None),
    ],
)
def test_pronoun_of(sentence, expected):
    assert pronoun_of(sentence) == expected


@pytest.mark.parametrize(
    ("source", "family"),
    [
        ("The animal didn't cross the street because it was too wide.", BY_PLACE),
        ("The bear reaches the village although it is very remote", BY_PLACE),
        ("The dog went into the house because it's open.", BY_PLACE),
        ("We brought the apple to the horse because it was hungry.", BY_MEANING),
        ("The bus is standing in front of the cow because it's broken", BY_MEANING),
        ("He sleeps because he is tired.", None),
        ("It is raining.", None),
        ("Anna can't sleep because it is too cold.", None),
    ],
)
def test_families_are_told_apart(source, family):
    assert family_of(source) == family


def test_every_sentence_of_the_families_is_known_by_its_form():
    sampler = sentence_sampler(5)
    for _ in range(4000):
        tree, construction, reference = sampler.sentence()
        expected = construction if reference else None
        assert family_of(write(tree).english) == expected


def test_only_the_pronoun_counts():
    sources = ["We brought the apple to the horse because it was ripe."] * 2 + ["He sleeps."]
    references = ["Wir brachten den Apfel zum Pferd, weil er reif war."] * 2 + ["Er schläft."]
    hypotheses = ["Der Apfel, weil er frisch war.", "Wir brachten, weil sie reif war.", "Er."]

    assert pronoun_accuracy(BY_MEANING)(sources, hypotheses, references) == (0.5, 2)
    assert pronoun_accuracy(BY_PLACE)(sources, hypotheses, references) == (None, 0)


def test_copies():
    source, reference = (
        f"{UNSEEN}'s dog has {NUMBER} apples.",
        f"{UNSEEN}s Hund hat {NUMBER} Äpfel.",
    )

    assert unseen_copies(source, reference) == {f"{UNSEEN}s", NUMBER}
    assert unseen_copies(f"{SEEN} sleeps.", f"{SEEN} schläft.") == set()
    assert unseen_copies("Butter is good.", "Butter ist gut.") == set()
    wrong = f"{UNSEEN}s Hund hat 1{NUMBER} Äpfel."
    assert copying_accuracy([source] * 2, [reference, wrong], [reference] * 2) == (0.5, 2)
    assert copying_accuracy(["Hi."], ["Hallo."], ["Hallo."]) == (None, 0)
