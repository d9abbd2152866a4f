"""Properties of the corpus and of its splits."""

from __future__ import annotations

import re
import time
from collections import Counter
from itertools import permutations

import pytest

from tf_models.data.grammar import (
    HELD_OUT_SENTENCES,
    generate_pairs,
    lexicon,
    pronoun_accuracy,
    pronoun_of,
    toy_splits,
)
from tf_models.data.grammar.english import english
from tf_models.data.grammar.german import german
from tf_models.data.grammar.sampling import CONSTRUCTIONS, sentence_sampler
from tf_models.data.grammar.toy_corpus import held_out_split


@pytest.fixture(scope="module")
def timed_pairs():
    start = time.perf_counter()
    pairs = generate_pairs(100_000)
    return pairs, time.perf_counter() - start


@pytest.fixture(scope="module")
def pairs(timed_pairs):
    return timed_pairs[0]


@pytest.fixture(scope="module")
def family(pairs):
    return [pair for pair in pairs if pair.construction == "pronoun"]


@pytest.fixture(scope="module")
def splits():
    return toy_splits(10_000, 500, 500)


def test_hundred_thousand_distinct_pairs_in_time(timed_pairs):
    pairs, seconds = timed_pairs
    assert len({pair.source for pair in pairs}) == 100_000
    assert seconds < 30


def test_english_to_german_is_a_function():
    sampler, german_of = sentence_sampler(11), {}
    for _ in range(100_000):
        tree, _, _ = sampler.sentence()
        target = german(tree)
        assert german_of.setdefault(english(tree), target) == target


def test_generation_is_deterministic_and_a_prefix(pairs):
    assert generate_pairs(2_000) == pairs[:2_000]
    assert generate_pairs(100, seed=1) != pairs[:100]


def test_every_noun_is_used(pairs):
    assert frozenset().union(*(pair.nouns for pair in pairs)) == set(lexicon.nouns())


def test_every_verb_adjective_adverb_preposition_and_name_is_used(pairs):
    sources = "\n".join(pair.source.lower() for pair in pairs)
    words = [verb.past for verb in lexicon.verbs()]
    words += [*lexicon.adjectives(), *lexicon.adverbs(), *lexicon.names(), *lexicon.cities()]
    assert [word for word in words if word.lower() not in sources] == []
    targets = "\n".join(pair.target for pair in pairs)
    assert [verb for verb in lexicon.verbs() if verb.german_past not in targets] == []


@pytest.mark.parametrize(
    "absurd",
    [
        r"\b(long|wide|deep|shallow|frozen) water\b",
        r"\bold(est|er)? (child|boy|girl|lamb)|\blamb .* it (is|was) (too|very) old",
        r"\b(my|your|his|her|our|their) ([a-z]+ )?(fathers|mothers)\b",
        r"\ba truth\b|\bcook(ed|ing) [^.]*\b(tea|coffee)\b",
        r"\b(live|lives|living|lived) .* (every|last week|on Monday|on Sunday)",
        r"\b(praise|admire|honor|celebrate|recommend|respect)\w* .* as an? (bad|lazy|sad|nervous) ",
        r"\bis \w+ing .* in the (morning|evening)",
    ],
)
def test_no_absurdities(pairs, absurd):
    assert [pair.source for pair in pairs if re.search(absurd, pair.source)] == []


def test_lexicon_size():
    assert len(lexicon.nouns()) >= 150
    assert len(lexicon.verbs()) >= 90
    assert len(lexicon.adjectives()) >= 70


def test_every_construction_is_sampled_and_lengths_are_moderate(pairs):
    assert {pair.construction for pair in pairs} == set(CONSTRUCTIONS)
    lengths = [len(pair.source.split()) for pair in pairs]
    assert 7 < sum(lengths) / len(lengths) < 11
    assert sum(length > 16 for length in lengths) < len(lengths) / 100


def test_texts_are_well_formed(pairs):
    for pair in pairs:
        for text in (pair.source, pair.target):
            assert text[0].isupper()
            assert "  " not in text
            assert not re.search(r" [,.?]|,[,.?]|\.\.", text)
        assert (pair.source[-1] in ".?") == (pair.target[-1] in ".?")


def test_a_few_pairs_have_no_full_stop(pairs):
    share = sum(pair.source[-1] not in ".?" for pair in pairs) / len(pairs)
    assert 0.02 < share < 0.06


def test_pronoun_family_is_balanced(family):
    pronouns = Counter(pronoun_of(pair.target) for pair in family)
    assert set(pronouns) == {"er", "sie", "es"}
    assert max(pronouns.values()) < 0.4 * len(family)


def test_the_subject_is_no_good_guess(family):
    about_subject = 0
    for pair in family:
        subject, other = (lexicon.nouns()[noun] for noun in pair.noun_pair)
        assert subject.gender != other.gender
        meant = {"er": "m", "sie": "f", "es": "n"}[pronoun_of(pair.target)]
        assert meant in (subject.gender, other.gender)
        about_subject += meant == subject.gender
    assert 0.45 < about_subject / len(family) < 0.55


def test_family_is_rich(family):
    assert len({pair.noun_pair[0] for pair in family}) >= 30
    assert len({pair.noun_pair[1] for pair in family}) >= 30


def test_pronoun_of_is_none_outside_the_family(pairs):
    others = [pair for pair in pairs if pair.construction != "pronoun"]
    assert [pair.target for pair in others if pronoun_of(pair.target)] == []


def test_split_sizes_and_disjoint_sources(splits):
    parts = (splits.train, splits.validation, splits.test)
    assert [len(part) for part in parts] == [10_000, 500, 500]
    sources = [pair.source for part in parts for pair in part]
    assert len(set(sources)) == len(sources)


def test_each_split_has_its_own_noun_pairs(splits):
    for part, expected in ((splits.train, None), (splits.validation, "validation"),
                           (splits.test, "test")):  # fmt: skip
        family = [pair for pair in part if pair.construction == "pronoun"]
        assert len(family) == round(0.12 * len(part))
        assert {held_out_split(pair.noun_pair) for pair in family} == {expected}


def test_training_never_shows_both_nouns_of_a_held_out_pair(splits):
    held_out = {pair.noun_pair for part in (splits.validation, splits.test) for pair in part}
    held_out = (held_out | {("animal", "street")}) - {None}
    for pair in splits.train:
        assert held_out.isdisjoint(permutations(pair.nouns, 2))


def test_article_sentences_are_reserved(splits):
    for pair in splits.train + splits.validation:
        assert pair.source not in HELD_OUT_SENTENCES
        assert not ("Anthony Hopkins" in pair.source and "Michael Bay" in pair.source)
    assert held_out_split(("animal", "street")) == "test"


def test_held_out_share():
    nouns = list(lexicon.nouns())
    marks = [held_out_split((first, other)) for first, other in permutations(nouns[:80], 2)]
    assert 0.18 < sum(mark is not None for mark in marks) / len(marks) < 0.22


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Das Tier überquerte die Straße nicht, weil es zu müde war.", "es"),
        ("Der Bär erreichte das Dorf, obwohl es sehr abgelegen war", "es"),
        ("Die Schlange erreicht den See nicht, weil er zu weit weg ist.", "er"),
        ("Er schläft, weil er müde ist.", None),
        ("Die Frau lächelte, weil er sie einlud.", None),
    ],
)
def test_pronoun_of(sentence, expected):
    assert pronoun_of(sentence) == expected


def test_pronoun_accuracy():
    references = [
        "Das Tier überquerte die Straße nicht, weil es zu müde war.",
        "Das Tier überquerte die Straße nicht, weil sie zu breit war.",
        "Er schläft.",
    ]
    hypotheses = [references[0], "Das Tier überquerte, weil es zu breit war.", "Er schlief."]
    assert pronoun_accuracy(hypotheses, references) == (0.5, 2)
    assert pronoun_accuracy(["Er schlief."], ["Er schläft."]) == (None, 0)


def test_every_preposition_is_used():
    sampler, used = sentence_sampler(3), set()
    for _ in range(20_000):
        used.update(re.findall(r"Preposition\(english='([^']+)'", repr(sampler.sentence()[0])))
    listed = {row["english"] for row in lexicon._rows("prepositions")}
    assert listed <= used
