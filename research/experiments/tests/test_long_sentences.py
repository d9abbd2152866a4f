import pytest

from research.experiments.long_sentences import MAX_WORDS, long_sentences
from tf_models.data.annotated import embedded_file, read_annotated
from tf_models.data.words import split_words


@pytest.fixture(scope="module")
def embedded():
    return read_annotated(embedded_file("toy"))[1]


@pytest.fixture(scope="module")
def sentences(embedded):
    return long_sentences(embedded, {"train": 300, "test": 50})


def test_they_are_distinct_and_have_up_to_forty_words(sentences):
    assert len({pair.source for pair in sentences}) == len(sentences) == 350
    words = [len(pair.source.split()) for pair in sentences]
    assert min(words) < 6
    assert 35 < max(words) <= MAX_WORDS


def test_no_statement_of_one_split_is_in_another(sentences, embedded):
    training = {pair.source.lower() for pair in embedded if pair.split == "train"}
    for pair in sentences:
        if pair.split == "test":
            assert not {f"{part}." for part in pair.source.lower()[:-1].split(", and ")} & training


def test_alignments_are_those_of_the_statements(sentences):
    """'and' is 'und', the full stops belong together, and no word is beyond the end."""
    for pair in sentences:
        english, german = split_words(pair.source), split_words(pair.target)
        aligned = {(english[i], german[j]) for i, j in pair.links}
        assert (".", ".") in aligned
        assert ("and", "und") in aligned or " and " not in pair.source
        assert {"The", "I", "He"}.isdisjoint(english[1:]) or "I" in english[1:]
