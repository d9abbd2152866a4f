import pytest

from tf_models.data.pairs import SentencePair
from tf_models.data.tokenizers import (
    MAX_BYTES,
    SentenceEncoder,
    SubwordTokenizer,
    TokenizerPair,
    train_tokenizer,
)
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
    assert tokenizer.encode_all(texts) == [ids] * 4
    assert tokenizer.encode("😀") == [tokenizer.start_id, tokenizer.end_id]
    assert tokenizer.unknown_characters("Er 😀 Ж 😀") == ["😀", "Ж"]
    assert 0 < tokenizer.unknown_rate(["Er 😀", "Er"]) < tokenizer.unknown_rate(["Er 😀"])
    assert tokenizer.unknown_rate(["Er"]) == tokenizer.unknown_rate([]) == 0


def test_letters_lose_accents_that_are_unknown(tokenizer):
    assert tokenizer.encode("Ér") == tokenizer.encode("Er")
    assert tokenizer.unknown_characters("Ér") == []


TEXT_OF_ALL_KINDS = [
    "女孩买面包，真的！（一）",
    "猫が好きです。ＡＢＣ　１２３",
    "Le chat voit la maison\u202f!",
    "C’est «\u00a0vrai\u00a0»…",
    "می\u200cخواهم",
    "น้ำ",
    "1½ m² ① ﬁ",
    "नमस्ते दुनिया।",
    "שָׁלוֹם",
    "👨\u200d👩\u200d👧 ❤️",
    "two  spaces   three",
    "e\u0301 soft\u00adhyphen zero\u200bwidth ⁇ \u2028 \ufeff",
    "İstanbul ẞ ǆ",
    "한국어",
]


@pytest.mark.parametrize("text", TEXT_OF_ALL_KINDS)
def test_text_in_is_text_out(of_all_kinds, text):
    assert of_all_kinds.decode(of_all_kinds.encode(text)) == text
    assert of_all_kinds.normalize(text) == text


def test_sources_are_taught_as_they_are_read_and_targets_as_they_stand(of_all_kinds):
    text = "C’est  «\u00a0vrai\u00a0»\u202f!"
    pair = TokenizerPair(of_all_kinds, of_all_kinds)
    ((source, target),) = pair.encode_all([SentencePair(text, text)])

    assert source == SentenceEncoder(of_all_kinds, 99).encode(text)
    assert of_all_kinds.decode(target) == text


@pytest.fixture(scope="module")
def of_all_kinds(tmp_path_factory):
    model = tmp_path_factory.mktemp("all") / "all.model"
    return train_tokenizer(TEXT_OF_ALL_KINDS * 2, "zh", 300, model)


def test_what_a_sentence_of_unknown_characters_holds(tokenizer):
    assert not tokenizer.knows_any(tokenizer.encode("Ж 😀😀"))
    assert tokenizer.knows_any(tokenizer.encode("Ж Er"))


def test_decode_skips_padding_and_stops_at_the_end(tokenizer):
    ids = tokenizer.encode("Er")

    assert tokenizer.decode([0, *ids, *ids, 0, 0]) == "Er"
    assert tokenizer.decode([]) == ""


def test_labels(tokenizer):
    ids = [0, *tokenizer.encode("Er")]

    assert tokenizer.tokens(ids)[:2] == ["<pad>", "<start>"]
    assert tokenizer.tokens(ids)[-1] == "<end>"
    assert "".join(tokenizer.tokens(ids)[2:-1]) == "▁Er"


def test_a_small_corpus_gives_a_small_model(tmp_path):
    assert train_tokenizer(TEXTS, "de", 10_000, tmp_path / "m").pieces < 300


def test_letters_that_the_corpus_lacks_can_be_spelled(tmp_path):
    tokenizer = train_tokenizer(TEXTS, "de", 1_000, tmp_path / "m")
    for text in ("Ärztin, Übung: Öl?", "Jack Quiz-Vyxß", '"0 3456789"; it\'s!'):
        assert tokenizer.unknown_characters(text) == []
        assert tokenizer.decode(tokenizer.encode(text)) == text


def test_training_is_deterministic(tmp_path):
    for name in ("a", "b"):
        train_tokenizer(TEXTS, "de", 60, tmp_path / name)

    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_copies_work_alone(tokenizer, tmp_path):
    copy = TokenizerPair(tokenizer, tokenizer).copy_to(tmp_path / "tokenizer")

    assert copy.source.model_file == tmp_path / "tokenizer" / "source.model"
    assert copy.target.encode("Er") == tokenizer.encode("Er")


def test_description_names_sizes_and_special_ids(tokenizer):
    n = tokenizer.pieces

    assert tokenizer.describe() == (
        f"de: {n} pieces, {n + 2} ids; padding 0, unknown 1, start {n}, end {n + 1}"
    )


@pytest.mark.parametrize(("texts", "pieces"), [([], 50), (TEXTS, 12)])
def test_models_that_cannot_be_trained(tmp_path, texts, pieces):
    with pytest.raises(InputError, match=f"cannot train {pieces} de subword pieces") as caught:
        train_tokenizer(texts, "de", pieces, tmp_path / "m")
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_word_that_would_end_the_process_is_left_out(tmp_path):
    text = f"der {'ab' * MAX_BYTES} x"
    assert train_tokenizer([*TEXTS, text], "de", 60, tmp_path / "m").pieces == 60


def test_models_that_cannot_be_loaded(tokenizer, tmp_path):
    (tmp_path / "bad.model").write_bytes(b"not a model")
    for name in ("bad.model", "missing.model"):
        with pytest.raises(InputError, match=f"{name} is not a sentencepiece model"):
            SubwordTokenizer(tmp_path / name, "de", lowercase=False)
    assert SubwordTokenizer(tokenizer.model_file, "nb", lowercase=False).pieces == tokenizer.pieces
