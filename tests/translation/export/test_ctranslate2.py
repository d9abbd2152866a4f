"""The exported model against this project's own, number by number and word by word.

CTranslate2 divides a score by |Y|^alpha, this project by ((5 + |Y|) / 6)^alpha: searches are
compared without a length penalty, where both rank by the plain log-probability.
"""

import json
import sys

import numpy as np
import pytest

from tf_models.data.tokenizers import train_tokenizer
from tf_models.errors import InputError
from tf_models.translation.export import export_ctranslate2, transformer_spec, vocabulary

pytestmark = pytest.mark.slow

ctranslate2 = pytest.importorskip(
    "ctranslate2", reason='CTranslate2 is not installed: pip install -e ".[benchmark]"'
)


@pytest.fixture
def export(tmp_path):
    """export(translator, quantization="float32"): the exported translator, loaded."""

    def make(translator, **options):
        folder = tmp_path / f"export{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        export_ctranslate2(translator, folder, **options)
        return ctranslate2.Translator(str(folder), intra_threads=1)

    return make


def subword_model(tokenizer):
    import sentencepiece

    return sentencepiece.SentencePieceProcessor(model_file=str(tokenizer.model_file))


def pieces(tokenizer, text):
    """What a reader without this package has, as docs/decoding.md says: sentencepiece alone."""
    model = subword_model(tokenizer)
    return [model.id_to_piece(i) for i in model.encode(text) if i]


def search(exported, translator, sentences, beam_size):
    """Texts and scores of CTranslate2's search, and of this project's."""
    source, target = translator.tokenizers.source, translator.tokenizers.target
    theirs = exported.translate_batch(
        [pieces(source, sentence) for sentence in sentences],
        beam_size=beam_size,
        length_penalty=0,
        min_decoding_length=0,
        max_decoding_length=translator.max_length - 1,
        return_scores=True,
    )
    id_of = {name: i for i, name in enumerate(vocabulary(target))}
    texts = [target.decode(id_of[piece] for piece in found.hypotheses[0]) for found in theirs]
    ours = translator.translate(sentences, beam_size=beam_size, length_penalty=0.0)
    return (
        (texts, [found.scores[0] for found in theirs]),
        ([found[0].text for found in ours], [found[0].score for found in ours]),
    )


def assert_close(scores, expected):
    for score, log_probs in zip(scores, expected, strict=True):
        np.testing.assert_allclose(score.log_probs, log_probs, atol=1e-4)


def test_token_log_probabilities_agree(
    each_translator, export, sentences, other_targets, token_log_probs
):
    """From certain tokens to impossible ones."""
    source, target = each_translator.tokenizers.source, each_translator.tokenizers.target
    scores = export(each_translator).score_batch(
        [pieces(source, text) for text in sentences],
        [pieces(target, text) for text in other_targets],
    )

    expected = token_log_probs(
        each_translator,
        [source.encode(text) for text in sentences],
        [target.encode(text) for text in other_targets],
    )
    assert_close(scores, expected)
    assert len(scores) > 100
    assert np.ptp(np.concatenate(expected)) > 5


def test_long_sentences_of_any_pieces_agree(each_translator, export, token_log_probs):
    """Up to the last position that the model has."""
    source, target = each_translator.tokenizers.source, each_translator.tokenizers.target
    choice = np.random.default_rng(0)
    lengths = [(1, 38), (38, 1), (38, 38), (20, 30), (7, 3)]
    inp = [choice.integers(1, source.pieces, n).tolist() for n, _ in lengths]
    tar = [choice.integers(1, target.pieces, n).tolist() for _, n in lengths]
    scores = export(each_translator).score_batch(named(source, inp), named(target, tar))

    expected = token_log_probs(
        each_translator, between_ends(source, inp), between_ends(target, tar)
    )
    assert_close(scores, expected)


def named(tokenizer, ids):
    names = vocabulary(tokenizer)
    return [[names[i] for i in row] for row in ids]


def between_ends(tokenizer, ids):
    return [[tokenizer.start_id, *row, tokenizer.end_id] for row in ids]


@pytest.mark.parametrize("beam_size", [1, 5])
def test_translations_are_the_same(trained_translator, export, sentences, beam_size):
    theirs, ours = search(export(trained_translator), trained_translator, sentences, beam_size)

    assert theirs[0] == ours[0]
    np.testing.assert_allclose(theirs[1], ours[1], atol=1e-3)
    assert len(set(ours[0])) > 20  # something was learnt, and said


def test_what_the_tokenizer_does_not_know(trained_translator, export):
    theirs, ours = search(
        export(trained_translator), trained_translator, ["The😀 sees the dog.", "fox漢字"], 1
    )

    assert theirs[0] == ours[0]


@pytest.mark.parametrize("raised", [{"padding": 50.0}, {"start": 50.0}])
def test_padding_and_a_second_start_are_never_written(changed, export, sentences, raised):
    """Scores agree as well: the two ids are left out of the softmax."""
    translator = changed(**raised)
    theirs, ours = search(export(translator), translator, sentences[::10], 1)

    assert theirs[0] == ours[0]
    np.testing.assert_allclose(theirs[1], ours[1], atol=1e-3)


def test_a_translation_that_does_not_end_stops_at_the_last_position(changed, export, sentences):
    translator = changed(end=-50.0)
    theirs, ours = search(export(translator), translator, sentences[:5], 1)

    assert theirs[0] == ours[0]


def test_mixed_precision_exports_its_float32_weights(trained_translator, in_bfloat16):
    tokenizers = trained_translator.tokenizers
    networks = (trained_translator.model.network, in_bfloat16.model.network)
    one, other = (transformer_spec(network, tokenizers).variables() for network in networks)

    assert in_bfloat16.model.network.decoder.compute_dtype == "bfloat16"
    assert one.keys() == other.keys()
    for name, value in one.items():
        np.testing.assert_array_equal(value, other[name], err_msg=name)


def test_export_leaves_the_model_alone(trained_translator, export):
    before = trained_translator.model.network.get_weights()
    export(trained_translator, quantization="int8")

    for old, new in zip(before, trained_translator.model.network.get_weights(), strict=True):
        np.testing.assert_array_equal(old, new)


@pytest.mark.parametrize("quantization", ["int8", "int16", "float16", "bfloat16"])
def test_quantized_models_translate(trained_translator, export, sentences, quantization):
    if quantization == "bfloat16":
        pytest.importorskip("torch", reason='no PyTorch: pip install -e ".[benchmark]"')
    theirs, ours = search(
        export(trained_translator, quantization=quantization), trained_translator, sentences, 1
    )

    same = np.mean([a == b for a, b in zip(theirs[0], ours[0], strict=True)])
    assert same > 0.8


def test_files(trained_translator, tmp_path):
    export_ctranslate2(trained_translator, tmp_path)

    config = json.loads((tmp_path / "config.json").read_text())
    assert config["layer_norm_epsilon"] == 1e-6
    described = json.loads((tmp_path / "translator.json").read_text())
    target = trained_translator.tokenizers.target
    assert described["target"]["end_id"] == target.end_id
    assert described["target"]["language"] == "de"
    assert (described["max_source_length"], described["max_target_length"]) == (40, 39)
    assert (tmp_path / "target.model").read_bytes() == target.model_file.read_bytes()


def test_no_text_can_name_a_special_token(tmp_path):
    """Sentencepiece hands what it does not know on as it is: here any Latin letters."""
    tokenizer = train_tokenizer(["ο σκύλος βλέπει τη γάτα"] * 50, "el", 40, tmp_path / "el.model")
    names = vocabulary(tokenizer)
    special = {names[i] for i in (0, tokenizer.start_id, tokenizer.end_id)}

    assert len(set(names)) == len(names) == tokenizer.vocabulary_size
    model = subword_model(tokenizer)
    assert "<pad>" in model.encode("γάτα <pad>", out_type=str)
    for name in special:
        assert special.isdisjoint(model.encode(f"γάτα {name}", out_type=str))


@pytest.mark.parametrize(
    ("package", "quantization"), [("ctranslate2", "float32"), ("torch", "int8_bfloat16")]
)
def test_a_missing_package_is_named(
    trained_translator, tmp_path, monkeypatch, package, quantization
):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(InputError, match=f"{package} is not .*pip install {package}"):
        export_ctranslate2(trained_translator, tmp_path, quantization)

    assert list(tmp_path.iterdir()) == []
