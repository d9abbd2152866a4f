"""Names of people and places."""

import csv
from collections import Counter
from pathlib import Path

from research.grammar import lexicon, names
from research.grammar.even_random import EvenRandom


def test_invented_names_can_be_said_and_hardly_repeat():
    rng = EvenRandom(0)
    made = [names.invented(rng) for _ in range(2000)]

    assert all(name.isalpha() and name.istitle() and 4 <= len(name) <= 13 for name in made)
    assert len(set(made)) > 1900
    assert 0.05 < sum(not name.isascii() for name in made) / len(made) < 0.3
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
        first, *_ = person.name.split()
        assert lexicon.first_names()[first].gender == person.gender
        assert not names.is_held_out(first)


def sequences(name, length):
    """Letter sequences of a name, with its beginning and its end."""
    text = f"^{name.lower()}$"
    return [text[i : i + length] for i in range(len(text) - length + 1)]


def test_real_names_of_many_languages_have_letter_sequences_that_training_has():
    """Of 305 names that no table has and that nothing was made from."""
    table = Path(__file__).with_name("real_names.tsv").read_text(encoding="utf-8")
    rows = csv.DictReader(table.splitlines(), delimiter="\t")
    real = [name for row in rows for name in row["names"].split()]
    listed = [*lexicon.first_names(), *lexicon.last_names(), *(p.english for p in lexicon.cities())]
    assert len(real) >= 300
    assert set(real).isdisjoint(listed)

    rng = EvenRandom(4)
    trained = [name for name in listed if not names.is_held_out(name)]
    trained += [names.invented(rng) for _ in range(10_000)]
    for length, share in ((2, 0.99), (3, 0.93)):
        known = Counter(sequence for name in trained for sequence in sequences(name, length))
        wanted = [sequence for name in real for sequence in sequences(name, length)]
        assert sum(sequence in known for sequence in wanted) / len(wanted) > share
