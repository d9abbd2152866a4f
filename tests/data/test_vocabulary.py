import pytest

from tf_models.data.tokenizers import WordVocabulary
from tf_models.errors import InputError


@pytest.fixture
def vocabulary():
    return WordVocabulary.of([["in", "the", "garden"], ["in", "Ben"]])


def test_ids_are_laid_out_as_for_subwords(vocabulary):
    assert vocabulary.words == ("Ben", "garden", "in", "the")
    assert vocabulary.ids(["Ben", "in", "Bonn"]) == [2, 4, 1]
    assert (vocabulary.start_id, vocabulary.end_id, vocabulary.vocabulary_size) == (6, 7, 8)


def test_words_end_at_the_end_id(vocabulary):
    assert vocabulary.words_of([6, 4, 5, 0, 1, 7, 3]) == ["in", "the", "<unk>"]


def test_unknown_words_each_once(vocabulary):
    assert vocabulary.unknown(["Bonn", "in", "Bonn", "ben"]) == ["Bonn", "ben"]


def test_saved_and_loaded(vocabulary, tmp_path):
    vocabulary.save(tmp_path / "folder" / "words.txt")
    assert WordVocabulary.load(tmp_path / "folder" / "words.txt").words == vocabulary.words


@pytest.mark.parametrize("text", ["", "in\nin\n", "in\n\nthe\n", "in the\n"])
def test_a_damaged_file(text, tmp_path):
    (tmp_path / "words.txt").write_text(text)
    with pytest.raises(InputError, match="words.txt is damaged: it must hold a word on each line"):
        WordVocabulary.load(tmp_path / "words.txt")
