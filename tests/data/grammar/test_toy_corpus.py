"""Properties of the corpus and of its splits."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, permutations
from pathlib import Path

import pytest

from tf_models.data.grammar import (
    HELD_OUT_SENTENCES,
    generate_pairs,
    lexicon,
    names,
    toy_corpus,
    toy_splits,
)
from tf_models.data.grammar.linearise import write
from tf_models.data.grammar.measures import pronoun_of
from tf_models.data.grammar.pronoun_families import BY_MEANING, BY_PLACE, sample_by_meaning
from tf_models.data.grammar.sampling import CONSTRUCTIONS, sentence_sampler
from tf_models.data.grammar.syntax import HE, AdjectivalPredicate, Clause, Statement
from tf_models.data.grammar.templates import template_of, templates
from tf_models.data.grammar.toy_corpus import COPIES, first_of_split, held_out_split
from tf_models.data.words import split_words
from tf_models.errors import InputError

PAIRS = 40_000


@pytest.fixture(scope="module")
def pairs():
    return generate_pairs(PAIRS)


@pytest.fixture(scope="module", params=[BY_PLACE, BY_MEANING])
def family(pairs, request):
    return [pair for pair in pairs if pair.construction == request.param]


@pytest.fixture(scope="module")
def splits():
    return toy_splits(10_000, 500, 500)


def test_sources_are_distinct(pairs):
    assert len({pair.source for pair in pairs}) == PAIRS


def test_english_to_german_is_a_function():
    sampler, german_of = sentence_sampler(11), {}
    for _ in range(20_000):
        written = write(sampler.sentence()[0])
        assert german_of.setdefault(written.english, written.german) == written.german


def test_generation_is_deterministic_and_a_prefix(pairs):
    assert generate_pairs(2_000) == pairs[:2_000]
    assert generate_pairs(100, seed=1) != pairs[:100]


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


def test_most_names_are_met_once_or_twice(splits):
    words = Counter(
        word
        for pair in splits.train
        for node in pair.written.source
        for word in [node.text]
        if any("given" in path or path.endswith("subject") for path in node.nodes)
        and word[0].isupper()
        and word not in lexicon.first_names()
    )
    rare = sum(1 for count in words.values() if count <= 2)
    assert rare > 0.5 * len(words)


@pytest.mark.parametrize(
    "absurd",
    [
        r"\b(long|wide|deep|shallow|frozen) water\b",
        r"\bold(est|er)? (child|boy|girl|lamb)|\blamb .* it (is|was) (too|very) old",
        r"\b(my|your|his|her|our|their) ([a-z]+ )?(fathers|mothers)\b",
        r"\ba truth\b|\bcook(ed|ing) [^.]*\b(tea|coffee)\b",
        r"\b(live|lives|lived) .* (every|last week|on Monday|on Sunday)",
        r"\b(praise|admire|honor|celebrate|recommend|respect)\w* .* as an? (bad|lazy|sad|nervous) ",
        r"\bis \w+ing .* in the (morning|evening)",
    ],
)
def test_no_absurdities(pairs, absurd):
    assert [pair.source for pair in pairs if re.search(absurd, pair.source)] == []


PAGE = Path(__file__).parents[3] / "docs" / "corpus.md"
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


def test_the_page_of_the_corpus_shows_rows_of_the_table():
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if "\t" in line]

    assert len(rows) == 2
    assert {template_of(row.split("\t")) for row in rows} <= set(templates())


def test_every_class_of_a_noun_is_in_the_table_of_classes():
    listed = {row["class"] for row in lexicon._rows("classes")}
    assert set().union(*(noun.classes for noun in lexicon.nouns().values())) == listed


def test_every_construction_is_sampled_and_lengths_are_moderate(pairs):
    assert {pair.construction for pair in pairs} == set(CONSTRUCTIONS)
    lengths = [len(pair.source.split()) for pair in pairs]
    assert 6 < sum(lengths) / len(lengths) < 9
    assert sum(length > 16 for length in lengths) < len(lengths) / 100


def test_texts_are_well_formed(pairs):
    for pair in pairs:
        for text in (pair.source, pair.target):
            assert text[0].isupper() or text[0].isdigit() or pair.construction == "term"
            assert "  " not in text
            assert not re.search(r" [,.?!]|,[,.?!]|\.\.", text)
        assert (pair.source[-1] in ".?!") == (pair.target[-1] in ".?!")


def test_a_few_pairs_have_no_full_stop(pairs):
    sentences = [pair for pair in pairs if pair.construction != "term"]
    share = sum(pair.source[-1] not in ".?!" for pair in sentences) / len(sentences)
    assert 0.02 < share < 0.06


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
    sampler = sentence_sampler(0)
    family = [sample_by_meaning(sampler)[1] for _ in range(8_000)]
    for fact in ("verb", "adjective"):
        by_fact = {}
        for reference in family:
            by_fact.setdefault(getattr(reference, fact), []).append(reference.meant == "subject")
        for told in by_fact.values():
            chance = 2 / len(told) ** 0.5  # four standard deviations
            assert abs(sum(told) / len(told) - 0.5) < chance


def test_split_sizes_and_disjoint_sources(splits):
    parts = (splits.train, splits.validation, splits.test)
    assert [len(part) for part in parts] == [10_000, 500, 500]
    sources = [{pair.source for pair in part} for part in parts]
    assert [len(part) for part in sources[1:]] == [500, 500]
    for one, other in combinations(sources, 2):
        assert one.isdisjoint(other)


SMALL = {"train": 400, "validation": 40, "test": 60}


def test_the_first_of_a_split_share_no_sentence_with_training():
    made = toy_splits(**SMALL)
    trained = {pair.source for pair in made.train}
    for split in SMALL:
        assert first_of_split(split, 30, SMALL) == getattr(made, split)[:30]
    assert trained.isdisjoint(pair.source for pair in first_of_split("test", 60, SMALL))


def test_a_split_has_no_more_than_its_pairs():
    with pytest.raises(InputError, match="test has 60 pairs; received 61"):
        first_of_split("test", 61, SMALL)


def drawn(tree, is_contracted):
    return toy_corpus._Drawn(tree, "predicate", None, (), is_contracted, True)


def test_a_contracted_sentence_is_no_other_sentence(monkeypatch):
    """Or the one might be in training and the other in test."""
    tired = AdjectivalPredicate(lexicon.adjectives()["tired"])
    tree = Statement(Clause(HE, predicate=tired))
    long, short = drawn(tree, False), drawn(tree, True)
    assert (long.pair.source, short.pair.source) == ("He is tired.", "He's tired.")
    assert long.key == short.key

    monkeypatch.setattr(toy_corpus, "_drawn", lambda *_: iter([long, short] * 3))
    monkeypatch.setattr(toy_corpus, "_MOST_FRUITLESS_DRAWS", 4)
    with pytest.raises(InputError):
        toy_splits(1, 0, 1)
    assert [pair.source for pair in generate_pairs(2)] == ["He is tired."]


def test_a_kind_that_is_exhausted_is_named(monkeypatch):
    """Where no sentence of the family by place comes, 25 test pairs would wait for two of them."""
    stream = toy_corpus._drawn

    def without_family(seed, selection):
        return (one for one in stream(seed, selection) if one.kind != BY_PLACE)

    monkeypatch.setattr(toy_corpus, "_drawn", without_family)
    monkeypatch.setattr(toy_corpus, "_MOST_FRUITLESS_DRAWS", 5_000)
    message = f"still wanted 2 of '{BY_PLACE}' in test; received train=0, validation=0, test=25"
    with pytest.raises(InputError, match=message):
        toy_splits(0, 0, 25)


def test_conventional_sentences_and_families_recur_and_fixed_ones_are_for_training(splits):
    times = Counter(pair.source for pair in splits.train)
    recurring = [pair for pair in splits.train if times[pair.source] > 1]
    assert len(recurring) > 100
    may = {p.source for p in recurring if p.construction == "conventional" or p.reference}
    assert {pair.source for pair in recurring} == may
    for pair in splits.validation + splits.test:
        assert pair.construction != "conventional" or pair.tree.fillers


def test_seldom_words_catch_up(pairs):
    """Half of the nouns would otherwise hardly be met."""
    times = Counter(noun for pair in pairs for noun in pair.nouns)
    seldom = sorted(times[noun] for noun in lexicon.nouns())
    assert seldom[len(seldom) // 20] >= 3
    assert seldom[len(seldom) // 2] >= 15


def test_each_split_has_its_share_of_each_kind(splits):
    for part, copies in ((splits.train, 0), (splits.validation, 0.15), (splits.test, 0.15)):
        kinds = Counter(pair.kind for pair in part)
        assert kinds[BY_PLACE] == round(0.08 * len(part))
        assert kinds[BY_MEANING] == round(0.06 * len(part))
        assert kinds[COPIES] == round(copies * len(part))


def test_each_split_has_its_own_noun_pairs(splits):
    for part, expected in ((splits.train, None), (splits.validation, "validation"),
                           (splits.test, "test")):  # fmt: skip
        family = [pair for pair in part if pair.kind == BY_PLACE]
        assert {held_out_split(pair.reference.noun_pair) for pair in family} == {expected}


def test_training_never_shows_both_nouns_of_a_held_out_pair(splits):
    held_out = {
        pair.reference.noun_pair
        for part in (splits.validation, splits.test)
        for pair in part
        if pair.kind == BY_PLACE
    } | {("animal", "street")}
    for pair in splits.train:
        if pair.kind != BY_MEANING:
            assert held_out.isdisjoint(permutations(pair.nouns, 2))


def test_combinations_of_noun_and_adjective_are_held_out(splits):
    def combinations(part):
        references = [pair.reference for pair in part if pair.kind == BY_MEANING]
        return {(one.adjective, one.meant_noun) for one in references}

    assert combinations(splits.train).isdisjoint(combinations(splits.validation + splits.test))
    nouns = {noun for _, noun in combinations(splits.test)}
    assert len(nouns) > 10


def test_held_out_names_and_numbers_never_stand_in_training(splits):
    trained = {word.text for pair in splits.train for word in pair.written.source}
    unseen = {word for pair in splits.test for word in pair.copies}
    assert len(unseen) > 50
    assert unseen.isdisjoint(trained)
    assert any(names.is_held_out(word) and word in lexicon.first_names() for word in unseen)


def test_article_sentences_are_reserved(splits):
    for pair in splits.train + splits.validation:
        assert pair.source not in HELD_OUT_SENTENCES
        assert not ("Anthony Hopkins" in pair.source and "Michael Bay" in pair.source)
    assert held_out_split(("animal", "street")) == "test"


def test_held_out_share():
    nouns = list(lexicon.nouns())
    marks = [held_out_split((first, other)) for first, other in permutations(nouns[:80], 2)]
    assert 0.18 < sum(mark is not None for mark in marks) / len(marks) < 0.22


def test_every_preposition_is_used():
    sampler, used = sentence_sampler(3), set()
    for _ in range(15_000):
        used.update(re.findall(r"Preposition\(english='([^']+)'", repr(sampler.sentence()[0])))
    listed = {row["english"] for row in lexicon._rows("prepositions")}
    assert listed <= used
