"""The corpus `toy`: the words of a first lesson, and the sentences of the articles."""

import re
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from research.grammar import lexicon
from research.grammar.descriptions import draw_admiration
from research.grammar.entries import Adjective, Expression, Noun, Verb
from research.grammar.even_random import EvenRandom
from research.grammar.linearise import write
from research.grammar.names import is_held_out
from research.grammar.pairs import spelling_key, stream
from research.grammar.syntax import (
    Clause,
    GradedAdjective,
    NounPhrase,
    ProperName,
    Statement,
    nodes_of,
)
from research.grammar.tables import section
from research.grammar.templates import Template, templates
from research.grammar.vocabulary import Vocabulary, toy
from tf_models.data.embedded.annotated_pairs import SPLITS, embedded_file, read_annotated
from tf_models.data.sentences import HOPKINS, split_words

TEMPLATES = (  # that the articles' sentences are of
    "{x} [1 {x:am|are|is|are}] {j}.",
    "{y} [1 is] [2 all] {x} [3 {x:need|need|needs|need}].",
)
# What the articles quote in English: sentence, translation, other translations.
ARTICLES = Path(__file__).parents[3] / "tests" / "data" / "article_sentences.tsv"
ARTICLE_SENTENCES = dict(
    line.split("\t")[:2] for line in ARTICLES.read_text(encoding="utf-8").splitlines()
)
LISTS = (
    *("nouns", "verbs", "adjectives", "adverbs"),
    *("first_names", "places", "languages", "others"),
)


@pytest.fixture(scope="module")
def pairs():
    return read_annotated(embedded_file("toy"))[1]


def test_its_size(pairs):
    sizes = {split: sum(pair.split == split for pair in pairs) for split in SPLITS}
    assert sizes == {"train": 100_000, "validation": 1_000, "test": 2_000}
    assert embedded_file("toy").stat().st_size < 1_600_000


def test_its_words_are_words_of_the_lexicon():
    table, nouns = section("toy"), lexicon.nouns()
    assert 150 <= len(table["nouns"]) <= 200
    assert set(table["nouns"]) <= nouns.keys()
    assert set(table["adjectives"]) <= lexicon.adjectives().keys()
    assert set(table["adverbs"]) <= lexicon.adverbs().keys()
    known = {(verb.english, verb.german_infinitive) for verb in lexicon.verbs()}
    for name in table["verbs"]:
        english, _, german = name.partition("/")
        assert any(english == one and german in ("", other) for one, other in known), name
    assert all(len(set(table[name])) == len(table[name]) for name in LISTS)


def test_its_sentences_are_of_its_words():
    table, vocabulary = section("toy"), toy()
    sentences = stream(5, table["constructions"], vocabulary)
    trees = [next(sentences).tree for _ in range(2_000)]
    nouns = {node.english for tree in trees for node in nodes_of(tree) if isinstance(node, Noun)}
    assert nouns <= set(table["nouns"])
    assert len(nouns) > 0.95 * len(table["nouns"])


def test_no_word_is_left_behind(pairs):
    """Each noun is in many training sentences, in one of its forms."""
    times = Counter(
        word
        for pair in pairs
        if pair.split == "train"
        for word in set(split_words(pair.source.lower()))
    )
    nouns = lexicon.nouns()
    for name in section("toy")["nouns"]:
        forms = {nouns[name].english.lower(), nouns[name].english_plural.lower()}
        assert " " in name or sum(times[form] for form in forms) >= 50, name


def test_splits_share_no_source_sentence(pairs):
    keys = [{spelling_key(p.source) for p in pairs if p.split == split} for split in SPLITS]
    train, validation, test = keys
    assert train.isdisjoint(validation | test)
    assert validation.isdisjoint(test)


def test_no_sentence_of_the_articles_is_trained_on(pairs):
    held_out = {spelling_key(sentence).lower() for sentence in ARTICLE_SENTENCES}
    for pair in pairs:
        if pair.split != "test":
            assert spelling_key(pair.source).lower() not in held_out


def test_numbers_names_and_templates_that_it_leaves_out(pairs):
    numbers = [int(number) for pair in pairs for number in re.findall(r"\d+", pair.source)]
    assert max(numbers) == section("toy")["largest_number"] == 99
    vocabulary = toy()
    languages = {parts.language for parts in lexicon.name_parts() if vocabulary.has(parts)}
    assert languages == {"English", "German", "Spanish", "Italian"}
    words = [
        re.sub(r"\[\d+ |\]", "", one.english).split() for one in templates() if vocabulary.has(one)
    ]
    assert [len(one) for one in words if len(one) > 4] == [5]  # "Attention is all you need."


def test_attention_is_what_the_papers_title_says(pairs):
    of_attention = [pair for pair in pairs if "attention" in pair.source.lower()]
    assert all("Aufmerksamkeit" in pair.target for pair in of_attention)
    assert len(of_attention) > 100


class Only(Vocabulary):
    """The words of one sentence; names are all known."""

    def __init__(self, sentence):
        self._sentence = f" {sentence.lower().rstrip('.')} "
        self._adjectives = lexicon.adjectives()

    def has(self, entry):
        if isinstance(entry, tuple):
            return all(map(self.has, entry))
        if isinstance(entry, Verb):
            return entry.english in ("cross", "admire")
        if isinstance(entry, Template):
            return entry.english in TEMPLATES
        if isinstance(entry, str) and entry in self._adjectives:
            return self._says(entry)
        if isinstance(entry, Noun | Adjective | Expression):
            return self._says(entry.english)
        return True

    def _says(self, words):
        return f" {words.lower()} " in self._sentence


@pytest.mark.parametrize("sentence", [one for one in ARTICLE_SENTENCES if one != HOPKINS])
def test_the_generator_can_write_the_articles_sentences(sentence):
    marks = {"admired": "admiration", "because": "pronoun by place"}
    of_it = [kind for word, kind in marks.items() if word in sentence] or ["conventional"]
    assert set(of_it) <= section("toy")["constructions"].keys()
    drawn = stream(0, dict.fromkeys(of_it, 1), Only(sentence))
    key, some = spelling_key(sentence).lower(), islice(drawn, 300)
    pair = next(pair for pair in some if pair.key.lower() == key)
    assert pair.target.removesuffix(".") == ARTICLE_SENTENCES[sentence].removesuffix(".")
    assert toy().has_all(pair.tree)


def test_the_generator_can_write_the_sentence_with_names():
    hopkins, bay = ProperName("Anthony Hopkins", "m"), ProperName("Michael Bay", "m")
    role = NounPhrase(
        lexicon.nouns()["director"], "indefinite", (GradedAdjective(lexicon.adjectives()["great"]),)
    )
    tree = Statement(Clause(hopkins, lexicon.verb("admire"), "past", object=bay, role=role))
    written = write(tree)
    assert (written.english, written.german) == (HOPKINS, ARTICLE_SENTENCES[HOPKINS])
    assert toy().has_all(tree)
    for name in ("Anthony", "Michael"):
        assert lexicon.first_names()[name].gender == "m"
        assert name in section("toy")["first_names"]
    assert {"Hopkins", "Bay"} <= set(lexicon.last_names())
    assert not any(map(is_held_out, HOPKINS.split()))

    rng = EvenRandom(0, toy())
    clauses = [draw_admiration(rng).clause for _ in range(2_000)]
    named = [one for one in clauses if isinstance(one.object, ProperName)]
    assert any(" " in one.object.name for one in named)
    assert any(isinstance(one.subject, ProperName) and " " in one.subject.name for one in clauses)
