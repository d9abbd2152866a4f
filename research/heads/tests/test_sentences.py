from types import SimpleNamespace

import pytest

from research.heads.sentences import embedded_corpus_of, gold_sentence, gold_sentences
from tf_models.data.annotated import FIRST_NOUN, embedded_file, read_annotated
from tf_models.data.words import split_words
from tf_models.errors import InputError
from tf_models.translation.settings import RUN_DIR

COUNT = 60


@pytest.fixture(scope="module")
def pairs():
    embedded = read_annotated(embedded_file("toy"))[1]
    return [pair for pair in embedded if pair.split == "test"][:COUNT]


def test_it_attends_to_the_noun_that_is_meant(pairs):
    found = [pair for pair in pairs if pair.reference]
    assert len(found) > 10
    for pair in found:
        gold = gold_sentence(pair)
        english, german = split_words(gold.source), split_words(gold.target)
        ((it, noun),) = gold.edges["encoder"]["noun_of_it"]
        assert english[it] in ("it", "it's")
        meant = pair.first_noun if pair.reference == FIRST_NOUN else pair.second_noun
        assert meant.split()[-1] == english[noun]
        ((pronoun, crossed),) = gold.edges["cross"]["noun_of_it"]
        assert german[pronoun] in ("er", "sie", "es")
        assert crossed == noun
        ((written, of_german),) = gold.edges["decoder"]["noun_of_it"]
        assert written == pronoun
        assert (noun, of_german) in gold.alignment


def test_the_decoder_attends_only_to_what_is_written(pairs):
    edges = [
        edge
        for pair in pairs
        for of_name in gold_sentence(pair).edges["decoder"].values()
        for edge in of_name
    ]
    assert edges
    assert all(head < word for word, head in edges)


def test_verbs_and_adjectives_are_there(pairs):
    found = [gold_sentence(pair) for pair in pairs]
    for name in ("subject_of_verb", "noun_of_adjective"):
        for kind in ("encoder", "cross"):
            assert any(gold.edges[kind][name] for gold in found)


def knows(test):
    """A translator that can read what passes a test."""
    side = SimpleNamespace(can_encode=test, tokenizer=SimpleNamespace(language="en"))
    target = SimpleNamespace(can_encode=test, tokenizer=SimpleNamespace(language="de"))
    return SimpleNamespace(source=side, target=target)


def test_what_cannot_be_read_is_left_out(pairs):
    short = gold_sentences(knows(lambda text: len(text) < 40), "test", COUNT)
    assert [one.source for one in short] == [
        pair.source for pair in pairs if max(len(pair.source), len(pair.target)) < 40
    ]


def test_what_cannot_be_measured():
    with pytest.raises(InputError, match="can read none of the 2 sentences"):
        gold_sentences(knows(lambda text: False), "test", 2)
    with pytest.raises(InputError, match="test has 2000 sentences; received 2001"):
        gold_sentences(knows(bool), "test", 2001)
    with pytest.raises(InputError, match="received 0"):
        gold_sentences(knows(bool), "test", 0)
    french = knows(bool)
    french.target.tokenizer.language = "fr"
    with pytest.raises(InputError, match="received a translator from en to fr"):
        gold_sentences(french, "test", 2)


def test_the_embedded_corpus_of_a_run(tiny_run):
    assert embedded_corpus_of(RUN_DIR) == "everyday"  # beside real sentences
    assert embedded_corpus_of(tiny_run("translator")) == "toy"  # its own is none of them
