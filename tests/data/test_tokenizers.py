"""Subwords of the corpus and of BPEmb, and whole words."""

import numpy as np
import pytest

from tf_models.data.subword_models import pretrained_tokenizer, pretrained_vectors, train_tokenizer
from tf_models.data.tokenizers import SubwordTokenizer
from tf_models.data.words import WordVocabulary
from tf_models.errors import InputError

TEXTS = ["Die großartige Regisseurin überquerte 101 Straßen.", "Er bewunderte sie."] * 4


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    return train_tokenizer(TEXTS, "de", 80, tmp_path_factory.mktemp("model") / "de.model")


@pytest.mark.parametrize(
    "text", [TEXTS[0], "Regisseurin Straßen bewunderte 1", "überall großartig"]
)
def test_round_trip_keeps_case_digits_and_umlauts(tokenizer, text):
    text = "".join(char for char in text if char in "".join(TEXTS))

    assert tokenizer.decode(tokenizer.encode(text)) == text


def test_ids_of_a_sentence(tokenizer):
    ids = tokenizer.encode("Er bewunderte sie.")

    assert ids[0] == tokenizer.start_id == tokenizer.pieces
    assert ids[-1] == tokenizer.end_id == tokenizer.pieces + 1
    assert tokenizer.vocabulary_size == tokenizer.pieces + 2
    assert all(2 < i < tokenizer.pieces for i in ids[1:-1])


def test_unknown_characters_are_left_out(tokenizer):
    texts = ["Er 😀 Ж", "😀 Er", "Er 😀", "Er"]
    ids = tokenizer.encode("Er")

    assert [tokenizer.encode(text) for text in texts] == [ids] * 4
    assert tokenizer.encode("😀") == [tokenizer.start_id, tokenizer.end_id]
    assert tokenizer.unknown_characters("Ér 😀 Ж 😀") == ["😀", "Ж"]
    assert tokenizer.encode("Ér") == ids  # a letter loses an accent that is unknown
    assert not tokenizer.knows_any(tokenizer.encode("Ж 😀😀"))
    assert 0 < tokenizer.unknown_rate(["Er 😀", "Er"]) < tokenizer.unknown_rate(["Er 😀"])
    assert tokenizer.unknown_rate(["Er"]) == tokenizer.unknown_rate([]) == 0


TEXT_OF_ALL_KINDS = [
    "女孩买面包，真的！（一）",
    "Le chat voit la maison\u202f!",
    "C’est «\u00a0vrai\u00a0»…",
    "می\u200cخواهم",
    "น้ำ",
    "1½ m² ① ﬁ",
    "שָׁלוֹם",
    "👨\u200d👩\u200d👧 ❤️",
    "e\u0301 soft\u00adhyphen zero\u200bwidth ⁇ \u2028 \ufeff",
    "İstanbul ẞ ǆ",
]


@pytest.mark.parametrize("text", TEXT_OF_ALL_KINDS)
def test_text_in_is_text_out(of_all_kinds, text):
    assert of_all_kinds.decode(of_all_kinds.encode(text)) == text


@pytest.fixture(scope="module")
def of_all_kinds(tmp_path_factory):
    model = tmp_path_factory.mktemp("all") / "all.model"
    return train_tokenizer(TEXT_OF_ALL_KINDS * 2, "zh", 300, model)


def test_decode_skips_padding_and_stops_at_the_end(tokenizer):
    ids = tokenizer.encode("Er")

    assert tokenizer.decode([0, *ids, *ids, 0, 0]) == "Er"
    assert tokenizer.decode([]) == ""


def test_letters_that_the_corpus_lacks_can_be_spelled(tmp_path):
    tokenizer = train_tokenizer(TEXTS, "de", 1_000, tmp_path / "m")
    for text in ("Ärztin, Übung: Öl?", "Jack Quiz-Vyxß", '"0 3456789"; it\'s!'):
        assert tokenizer.unknown_characters(text) == []
        assert tokenizer.decode(tokenizer.encode(text)) == text


def test_training_is_deterministic(tmp_path):
    for name in ("a", "b"):
        train_tokenizer(TEXTS, "de", 60, tmp_path / name)

    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize(("texts", "pieces"), [([], 50), (TEXTS, 12)])
def test_models_that_cannot_be_trained(tmp_path, texts, pieces):
    with pytest.raises(InputError, match=f"cannot train {pieces} de subword pieces") as caught:
        train_tokenizer(texts, "de", pieces, tmp_path / "m")
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_models_that_cannot_be_loaded(tokenizer, tmp_path):
    (tmp_path / "bad.model").write_bytes(b"not a model")
    for name in ("bad.model", "missing.model"):
        with pytest.raises(InputError, match="no sentencepiece model"):
            SubwordTokenizer(tmp_path / name, "de", lowercase=False)
    assert SubwordTokenizer(tokenizer.model_file, "nb", lowercase=False).pieces == tokenizer.pieces


def test_the_articles_vocabulary(shared_data):
    """Rows 1 and 2: 10000 pieces and 10002 ids."""
    tokenizer = pretrained_tokenizer("en", 10_000, shared_data)

    assert tokenizer.describe() == (
        "en: 10000 pieces, 10002 ids; padding 0, unknown 1, start 10000, end 10001"
    )
    text = "Anthony Hopkins admired Michael Bay as a great director."
    assert tokenizer.decode(tokenizer.encode(text)) == text.lower()
    assert tokenizer.decode(tokenizer.encode("101 Dalmatians")) == "000 dalmatians"


def test_vectors_follow_the_ids(shared_data):
    from bpemb import BPEmb

    vectors = pretrained_vectors("en", 1000, 25, shared_data)
    original = BPEmb(lang="en", vs=1000, dim=25, cache_dir=shared_data / "bpemb").vectors

    assert vectors.shape == (1000, 25)
    np.testing.assert_array_equal(vectors[2:], original[2:])
    np.testing.assert_array_equal(vectors[1], original[0])
    np.testing.assert_array_equal(vectors[0], np.zeros(25))


def test_what_bpemb_does_not_have(tmp_path):
    with pytest.raises(InputError, match="no 'de' model of 1234 pieces; it has 1000, "):
        pretrained_tokenizer("de", 1234, tmp_path)
    with pytest.raises(InputError, match="no 'xx' model .* none of this language"):
        pretrained_tokenizer("xx", 1000, tmp_path)
    with pytest.raises(InputError, match="vectors have 25, .* dimensions; received 26"):
        pretrained_vectors("de", 1000, 26, tmp_path)


@pytest.fixture
def vocabulary():
    return WordVocabulary.of([["in", "the", "garden"], ["in", "Ben"]])


def test_ids_are_laid_out_as_for_subwords(vocabulary):
    assert vocabulary.words == ("Ben", "garden", "in", "the")
    assert vocabulary.ids(["Ben", "in", "Bonn"]) == [2, 4, 1]
    assert (vocabulary.start_id, vocabulary.end_id, vocabulary.vocabulary_size) == (6, 7, 8)


def test_words_end_at_the_end_id(vocabulary):
    assert vocabulary.words_of([6, 4, 5, 0, 1, 7, 3]) == ["in", "the", "<unk>"]


def test_saved_and_loaded(vocabulary, tmp_path):
    vocabulary.save(tmp_path / "folder" / "words.txt")
    assert WordVocabulary.load(tmp_path / "folder" / "words.txt").words == vocabulary.words
