"""Conventional sentences from templates."""

import re
from datetime import datetime
from types import SimpleNamespace

import pytest

from research.grammar import english_forms, german_forms, lexicon, slots, templates
from research.grammar.even_random import EvenRandom
from research.grammar.linearise import write
from research.grammar.syntax import (
    HE,
    SHE,
    THEY,
    YOU,
    Bare,
    Count,
    Filler,
    I,
    NounPhrase,
    Phrase,
    PlaceName,
    ProperName,
)
from research.grammar.text import spell
from tf_models.errors import InputError

NOUNS = lexicon.nouns()
EVERY_TEMPLATE = (*templates.templates(), *templates.templates("today"))
ANNA = ProperName("Anna", "f")


def written(english, german, **fillers):
    """Both sentences of a template written out here."""
    template = SimpleNamespace(english=english, german=german, alternatives=())
    phrase = Phrase(template, tuple(Filler(name, value) for name, value in fillers.items()))
    return spell(templates.english(phrase)), spell(templates.german(phrase))


@pytest.mark.parametrize(
    ("english", "german", "fillers", "expected"),
    [
        ("{x} {x:am|are|is|are} {k} years old.", "{x} {x:bin|bist|ist|sind} {k} Jahre alt.",
         {"x": I, "k": Count(25)}, ("I am 25 years old.", "Ich bin 25 Jahre alt.")),
        ("{x} {x:am|are|is|are} fine.", "{x.dat} geht es gut.", {"x": HE},
         ("He is fine.", "Ihm geht es gut.")),
        ("{x:Am|Are|Is|Are} {x} well?", "Geht es {x.dat} gut?", {"x": YOU},
         ("Are you well?", "Geht es dir gut?")),
        ("{x.poss} name is {n}.", "{x.poss:m.nom} Name ist {n}.", {"x": SHE, "n": ANNA},
         ("Her name is Anna.", "Ihr Name ist Anna.")),
        ("This is {n.gen} {y}.", "Das ist {n.gen} {y}.",
         {"n": ANNA, "y": NounPhrase(NOUNS["car"], "zero")},
         ("This is Anna's car.", "Das ist Annas Auto.")),
        ("I don't have {any:y} {y}.", "Ich habe {kein:y.acc} {y.acc}.",
         {"y": NounPhrase(NOUNS["dog"], "zero")},
         ("I don't have a dog.", "Ich habe keinen Hund.")),
        ("I don't have {any:y} {y}.", "Ich habe {kein:y.acc} {y.acc}.",
         {"y": NounPhrase(NOUNS["milk"], "zero")},
         ("I don't have any milk.", "Ich habe keine Milch.")),
        ("{y} {y:is|are} new.", "{y} {y:ist|sind} neu.", {"y": NounPhrase(NOUNS["glasses"])},
         ("The glasses are new.", "Die Brille ist neu.")),
        ("He is going to {c}.", "Er fährt {c.to} {c.acc}.",
         {"c": PlaceName("Switzerland", "die Schweiz", "f")},
         ("He is going to Switzerland.", "Er fährt in die Schweiz.")),
        ("He is going to {c}.", "Er fährt {c.to} {c.acc}.",
         {"c": PlaceName("the Philippines", "die Philippinen", "p")},
         ("He is going to the Philippines.", "Er fährt auf die Philippinen.")),
        ("{x} hurry.", "{x} {x:beeile|beeilst|beeilt|beeilen} {x.refl.acc}.", {"x": I},
         ("I hurry.", "Ich beeile mich.")),
        ("She is at {y}.", "Sie ist in {y.dat}.", {"y": NounPhrase(NOUNS["museum"])},
         ("She is at the museum.", "Sie ist im Museum.")),
        ("Please {t}.", "Bitte {t}.",
         {"t": Bare("[1 open] [2 the door]", "[1 öffne] [2 die Tür]")},
         ("Please open the door.", "Bitte öffne die Tür.")),
    ],
)  # fmt: skip
def test_patterns(english, german, fillers, expected):
    assert written(english, german, **fillers) == expected


def test_what_stands_twice_is_aligned_in_order():
    template = SimpleNamespace(english="{x} eat and {x} sleep.", german="{x} esse und {x} schlafe.")
    pair = write(Phrase(template, (Filler("x", I),)))
    assert {link for link in pair.alignment if link[0] in (0, 3)} == {(0, 0), (3, 3)}


def test_every_template_is_filled_well():
    rng = EvenRandom(0)
    german_of = {}
    for template in EVERY_TEMPLATE:
        for _ in range(3):
            phrase = templates.fill(template, rng)
            pair = write(phrase)
            sentences = [pair.english, pair.german]
            sentences += [spell(words) for words in templates.alternatives(phrase)]
            for sentence in sentences:
                assert not set(sentence) & set("[]{}|=_"), sentence
                assert sentence[-1] in ".?!", sentence
                assert "  " not in sentence
            assert pair.alignment
            assert german_of.setdefault(pair.english, pair.german) == pair.german


@pytest.mark.parametrize("cells", [["Hello!", "Hallo!", "-"], ["Hi!", "Hallo!", "-", "a", "-"]])
def test_a_row_has_all_columns(cells):
    message = rf"4 columns \(english, german, slots, alternatives\); received {len(cells)}: H"
    with pytest.raises(InputError, match=message):
        templates.template_of(cells)


def test_a_choice_with_nothing_distinct_left_is_named():
    cells = ["I see {a} and {b}.", "Ich sehe {a} und {b}.", "a=choice(x=y); b=choice(x=y)", "-"]
    message = "slot b of the template 'I see {a} and {b}.' .* choice\\(x=y\\)"
    with pytest.raises(InputError, match=message):
        templates.fill(templates.template_of(cells), EvenRandom(0))


@pytest.mark.parametrize(
    ("value", "pronoun"),
    [
        (NounPhrase(NOUNS["child"]), HE),
        (NounPhrase(NOUNS["sister"], "my"), SHE),
        (NounPhrase(NOUNS["teacher"], plural=True), THEY),
        (ANNA, SHE),
        (I, I),
    ],
)
def test_who_is_taken_up_again(value, pronoun):
    assert slots.pronoun_of(value) == pronoun


def test_a_slot_is_read():
    first, second = slots.parse("x=one_of(pronoun(you;he)|first_name); y=the_noun(=room;drink)")
    assert first.arguments == ("pronoun(you;he)", "first_name")
    assert second.arguments == ("=room", "drink")
    (number,) = slots.parse("k=number:2-12")
    assert {number.draw(EvenRandom(seed), {}).number for seed in range(200)} == set(range(2, 13))


@pytest.mark.parametrize("kind", ["first_name", "full_name", "known_name"])
def test_a_name_is_of_either_sex_where_none_is_asked_for(kind):
    (slot,) = slots.parse(f"n={kind}")
    rng = EvenRandom(0)
    assert {slot.draw(rng, {}).gender for _ in range(100)} == {"m", "f"}


@pytest.mark.parametrize("kind", ["first_name", "full_name", "known_name"])
def test_a_name_has_the_sex_that_is_asked_for(kind):
    (slot,) = slots.parse(f"n={kind}(f)")
    rng = EvenRandom(0)
    drawn = [slot.draw(rng, {}) for _ in range(100)]
    assert {name.gender for name in drawn} == {"f"}
    if kind == "known_name":  # it decides on a word of the German sentence
        assert {name.name.split()[0] for name in drawn} <= set(lexicon.first_names())


def test_a_question_is_not_about_my_relatives():
    rng = EvenRandom(0)
    for text, mine in (("x=person(you;he;she;they)", False), ("x=person", True)):
        (slot,) = slots.parse(text)
        drawn = [slot.draw(rng, {}) for _ in range(300)]
        owners = {value.determiner for value in drawn if isinstance(value, NounPhrase)}
        assert "your" in owners
        assert ("my" in owners) == mine


@pytest.mark.parametrize(
    ("german", "banned"),
    [
        ("Ich wohne [1 in] {c.dat}.", {"Cuba", "the Philippines"}),
        ("Ich fahre {c.to} {c.acc}.", set()),
        ("Ich komme aus {c.dat}.", {"the Philippines"}),
    ],
)
def test_no_sentence_is_in_an_island(german, banned):
    """German is on it: auf Kuba, auf den Philippinen; one comes from them: von den Philippinen."""
    template = SimpleNamespace(german=german, slots=slots.parse("c=country"))
    rng = EvenRandom(0)
    drawn = {templates.fill(template, rng).fillers[0].value.english for _ in range(2_000)}
    assert drawn.isdisjoint(banned)
    assert len(drawn) > 100
    assert ("Cuba" in drawn) == ("Cuba" not in banned)


def test_in_two_templates_the_same_english_has_the_same_german():
    rng, german_of = EvenRandom(1), {}
    for template in EVERY_TEMPLATE:
        for _ in range(25 if template.slots else 1):
            pair = write(templates.fill(template, rng))
            english, german = (text.rstrip(".!") for text in (pair.english, pair.german))
            assert german_of.setdefault(english, german) == german


def of_template(english):
    """A pair of a template, by its English pattern."""
    (template,) = (one for one in templates.templates() if one.english == english)
    return write(templates.fill(template, EvenRandom(0)))


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("[1 There are] {q} [2 on {s}].", r"Auf dem \w+ sind \w+ \w+\."),
        ("[1 There are] {y} [2 in the tree].", r"Auf dem Baum sind \w+ \w+\."),
        ("{y} [1 is] [2 in the tree].", r"D\w+ \w+ ist auf dem Baum\."),
        ("[1 Please] [2 look at] [3 {t}].", r"Bitte sieh dir \w+ \w+ an\."),
        ("[1 The woman] [2 is] {j}.", r"Die Frau ist \w+(in|frau|schwester)\."),
        ("{x} [1 {x:know|know|knows|know}] [2 a woman] [3 who is] {j}.",
         r".* eine Frau, die \w+(in|frau|schwester) ist\."),
        ("[1 Which] {y} {x:do|do|does|do} {x} [2 like better]?",
         r"Welche[rs]? \w+ gefällt (dir|ihm|ihr) besser\?"),
        ("[1 We] {v} [2 each other].", r"Wir \w+ uns\."),
    ],
)  # fmt: skip
def test_what_is_said_in_one_way(english, german):
    assert re.fullmatch(german, of_template(english).german)


def test_numbers_are_spelled_to_ninety_nine():
    spelled = dict(zip(english_forms.NUMBER_WORDS, german_forms.NUMBER_WORDS, strict=True))
    assert len(spelled) == len(set(spelled.values())) == 100
    assert [spelled[word] for word in ("nineteen", "thirty", "sixty-one", "ninety-nine")] == [
        "neunzehn", "dreißig", "einundsechzig", "neunundneunzig",
    ]  # fmt: skip


def test_german_counts_the_hours_after_noon():
    slot, rng = slots.parse("h=spoken_clock")[0], EvenRandom(0)
    drawn = [slot.draw(rng, {}) for _ in range(500)]

    german_of = {one.english.lower(): one.german for one in drawn}
    for english, german in german_of.items():
        time = datetime.strptime(english, "%I:%M %p" if ":" in english else "%I %p")
        assert german == (f"{time.hour}.{time:%M}" if time.minute else str(time.hour))
    assert {german.split(".")[0] for german in german_of.values()} == set(map(str, range(1, 24)))
    assert any(":" not in english for english in german_of)
