"""Properties of the sentences."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from research.grammar import lexicon
from research.grammar.even_random import EvenRandom
from research.grammar.linearise import write
from research.grammar.pairs import distinct_pairs
from research.grammar.pronoun_families import draw_by_meaning
from research.grammar.sampling import CONSTRUCTIONS, FAMILIES, draw_sentence
from research.grammar.tables import section, weights
from research.grammar.templates import template_of, templates
from tf_models.data.embedded.annotated_pairs import BY_MEANING, BY_PLACE, pronoun_of
from tf_models.data.sentences import split_words

PAIRS = 40_000


@pytest.fixture(scope="module")
def pairs():
    return distinct_pairs(PAIRS)


@pytest.fixture(scope="module", params=[BY_PLACE, BY_MEANING])
def family(pairs, request):
    return [pair for pair in pairs if pair.construction == request.param]


def test_sources_are_distinct(pairs):
    assert len({pair.source for pair in pairs}) == PAIRS


def test_english_to_german_is_a_function():
    rng, german_of = EvenRandom(11), {}
    for _ in range(20_000):
        written = write(draw_sentence(rng)[0])
        assert german_of.setdefault(written.english, written.german) == written.german


def test_generation_is_deterministic_and_a_prefix(pairs):
    assert distinct_pairs(2_000) == pairs[:2_000]
    assert distinct_pairs(100, seed=1) != pairs[:100]


def test_nearly_every_word_is_used(pairs):
    sources = _in_words(pair.source for pair in pairs)
    targets = _in_words(pair.target for pair in pairs)
    nouns = frozenset().union(*(pair.nouns for pair in pairs))
    for words, used in (
        (lexicon.nouns(), nouns.__contains__),
        (lexicon.adjectives(), lambda word: f" {word} ".lower() in sources),
        (lexicon.adverbs(), lambda word: f" {word} ".lower() in sources),
        ([verb.past for verb in lexicon.verbs()], lambda word: f" {word} " in sources),
        ([verb.german_past for verb in lexicon.verbs()], lambda word: f" {word} " in targets),
    ):
        unused = [word for word in words if not used(word)]
        assert len(unused) <= 0.04 * len(words), unused


def _in_words(sentences):
    """All of them in small letters, with a space around each word and mark."""
    return f" {' '.join(word for text in sentences for word in split_words(text))} ".lower()


@pytest.mark.parametrize(
    "absurd",
    [
        r"\b(long|wide|deep|shallow|frozen) water\b",
        r"\bold(est|er)? (child|boy|girl|lamb)|\blamb .* it (is|was) (too|very) old",
        r"\b(my|your|his|her|our|their) ([a-z]+ )?(fathers|mothers)\b",
        r"\ba truth\b|\bcook(ed|ing) (?!and)[^.]*\b(tea|coffee)\b",
        r"\b(live|lives|lived) .* (every|last week|on Monday|on Sunday)",
        r"\b(praise|admire|honor|celebrate|recommend|respect)\w* .* as an? (bad|lazy|sad|nervous) ",
        r"\bis \w+ing .* in the (morning|evening)",
    ],
)
def test_no_absurdities(pairs, absurd):
    assert [pair.source for pair in pairs if re.search(absurd, pair.source)] == []


PAGE = Path(__file__).parents[3] / "docs" / "corpus.md"
ADDING = Path(__file__).parents[1] / "adding.md"
TABLES = {
    "nouns": lexicon.nouns,
    "verbs": lambda: {verb.english for verb in lexicon.verbs()},
    "adjectives": lexicon.adjectives,
    "adverbials": lexicon.adverbs,
    "templates": templates,
    "first": lexicon.first_names,
    "last names": lexicon.last_names,
    "cities": lexicon.cities,
    "countries": lexicon.countries,
}


def test_the_page_of_the_corpus_counts_the_tables():
    counts = re.findall(rf"([\d,]+) ({'|'.join(TABLES)})\b", PAGE.read_text(encoding="utf-8"))

    assert [name for _, name in counts] == list(TABLES)
    for number, name in counts:
        assert int(number.replace(",", "")) == len(TABLES[name]()), name


def test_the_page_on_adding_shows_rows_of_the_table():
    rows = [line for line in ADDING.read_text(encoding="utf-8").splitlines() if "\t" in line]

    assert len(rows) == 2
    assert {template_of(row.split("\t")) for row in rows} <= set(templates())


def test_every_class_of_a_noun_is_in_the_table_of_classes():
    listed = {row["class"] for row in lexicon._rows("classes")}
    assert set().union(*(noun.classes for noun in lexicon.nouns().values())) == listed


def test_every_construction_is_sampled_and_lengths_are_moderate(pairs):
    of_toy = section("toy")["constructions"].keys() - weights("constructions").keys()
    assert of_toy == {"all one needs"}
    assert {pair.construction for pair in pairs} == {*CONSTRUCTIONS, *FAMILIES} - of_toy
    lengths = [len(pair.source.split()) for pair in pairs]
    assert 6 < sum(lengths) / len(lengths) < 9
    assert sum(length > 16 for length in lengths) < len(lengths) / 100


def test_texts_are_well_formed(pairs):
    for pair in pairs:
        for text in (pair.source, pair.target):
            is_small = text == pair.source and pair.in_small_letters
            is_small = is_small or pair.construction == "term"
            assert text[0].isupper() or text[0].isdigit() or is_small
            assert "  " not in text
            assert not re.search(r" [,.?!]|,[,.?!]|\.\.", text)
        assert (pair.source[-1] in ".?!") == (pair.target[-1] in ".?!")


def test_a_few_pairs_have_no_full_stop(pairs):
    sentences = [pair for pair in pairs if pair.construction != "term"]
    share = sum(pair.source[-1] not in ".?!" for pair in sentences) / len(sentences)
    assert 0.02 < share < 0.08


def test_pronoun_family_is_balanced(family):
    pronouns = Counter(pronoun_of(pair.target) for pair in family)
    assert set(pronouns) == {"er", "sie", "es"}
    assert max(pronouns.values()) < 0.42 * len(family)


def test_the_subject_is_no_good_guess(family):
    about_subject = 0
    for pair in family:
        subject, other = (lexicon.nouns()[noun] for noun in pair.reference.noun_pair)
        assert subject.gender != other.gender
        pronoun = {"er": "m", "sie": "f", "es": "n"}[pronoun_of(pair.target)]
        meant = lexicon.nouns()[pair.reference.meant_noun]
        assert meant in (subject, other)
        assert meant.gender == pronoun
        about_subject += meant is subject
    assert 0.45 < about_subject / len(family) < 0.55


def test_family_is_rich(family):
    assert len({pair.reference.subject for pair in family}) >= 30
    assert len({pair.reference.other for pair in family}) >= 30


def test_by_meaning_the_place_tells_nothing():
    """Neither the verb nor the adjective says whether it is the noun that comes first."""
    rng = EvenRandom(0)
    family = [draw_by_meaning(rng)[1] for _ in range(8_000)]
    for fact in ("verb", "adjective"):
        by_fact = {}
        for reference in family:
            by_fact.setdefault(getattr(reference, fact), []).append(reference.meant == "subject")
        for told in by_fact.values():
            chance = 2 / len(told) ** 0.5  # four standard deviations
            assert abs(sum(told) / len(told) - 0.5) < chance


def test_seldom_words_catch_up(pairs):
    """Half of the nouns would otherwise hardly be met."""
    times = Counter(noun for pair in pairs for noun in pair.nouns)
    seldom = sorted(times[noun] for noun in lexicon.nouns())
    assert seldom[len(seldom) // 20] >= 3
    assert seldom[len(seldom) // 2] >= 15


def test_every_preposition_is_used():
    rng, used = EvenRandom(3), set()
    for _ in range(25_000):
        used.update(re.findall(r"Preposition\(english='([^']+)'", repr(draw_sentence(rng)[0])))
    listed = {row["english"] for row in lexicon._rows("prepositions")}
    assert listed <= used
