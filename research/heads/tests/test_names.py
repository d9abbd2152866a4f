import random

from research.heads.names import changed, gendered, shared_names, with_new_names
from tf_models.data.pairs import SentencePair

PAIR = SentencePair("In April Robert met Hermine 25 times.", "Im April traf Robert Hermine 25-mal.")
PLAIN = SentencePair("The dog sleeps.", "Der Hund schläft.")


def test_names_stand_in_both_sentences():
    assert shared_names(PAIR) == {"Robert", "Hermine"}
    assert not shared_names(PLAIN)


def test_new_names_and_numbers_are_the_same_on_both_sides():
    source, target = changed(PAIR, ["Robert", "Hermine", "Olga"], set(), random.Random(0))
    _, _, first, _, second, number, _ = source.rstrip(".").split()
    assert target == f"Im April traf {first} {second} {number}-mal."
    assert {first, second}.isdisjoint({"Robert", "Hermine"})
    assert number.isdecimal()
    assert len(number) == 2


def test_a_name_within_a_word_is_none():
    pair = SentencePair("We met Rob, McRob and Roberta.", "Wir trafen Rob.")
    source, _ = changed(pair, ["Rob", "Olga"], set(), random.Random(0))
    assert source.endswith(", McRob and Roberta.")
    assert " Rob," not in source


def test_what_is_held_out_is_not_invented():
    numbers = [SentencePair(f"{n} of {n}", f"{n} von {n}") for n in range(50, 100)]
    held_out = [SentencePair(f"No {n}.", f"Nein, {n}.") for n in range(10, 95)]
    made = with_new_names(numbers, held_out)
    assert made
    assert {source.split()[0] for source, _ in made} <= {"95", "96", "97", "98", "99"}


def test_pairs_without_names_are_left_out():
    made = with_new_names([PAIR, PLAIN, PAIR])
    assert len(made) == 2
    assert PLAIN not in made
    assert PAIR not in made


def test_pairs_with_gendered_nouns_are_left_out():
    words = ("Robert ist Arzt", "Olga ist Ärztin", "Robert wohnt hier")
    pairs = [SentencePair(f"So {text}", text) for text in words]
    assert gendered(pairs) == {"Arzt", "Ärztin"}
    (made,) = with_new_names(pairs)
    assert made.target.endswith("wohnt hier")
