"""Exported models against this project's own, number by number and word by word.

CTranslate2 divides a score by |Y|^alpha, this project by ((5 + |Y|) / 6)^alpha: searches are
compared without a length penalty, where both rank by the plain log-probability.
"""

import json
import subprocess
import sys

import numpy as np
import pytest
import tensorflow as tf

from tests.support.language import PAIRS as SHORT
from tests.support.tiny import TINY, tokenizers_of
from tf_models.data.corpora import Corpus
from tf_models.data.pairs import SentencePair
from tf_models.data.subword_models import train_tokenizer
from tf_models.translation.export import export_ctranslate2, export_saved_model, vocabulary
from tf_models.translation.model import TransformerModel, build_transformer
from tf_models.translation.train import train_translator
from tf_models.translation.translate import Translator

pytestmark = pytest.mark.slow

ctranslate2 = pytest.importorskip(
    "ctranslate2", reason='CTranslate2 is not installed: pip install -e ".[benchmark]"'
)

LONG = [
    SentencePair(f"{first[0][:-1]} and {second[0]}", f"{first[1][:-1]} und {second[1]}")
    for first, second in zip(SHORT[::2], SHORT[::-2], strict=True)
]
PAIRS = SHORT + LONG
SOURCES = [pair.source for pair in PAIRS]
CORPUS = Corpus("tiny", "en", "de", PAIRS, PAIRS[::9], [])
SIZES = {"num_layers": 2, "d_model": 64, "num_heads": 4, "dff": 96, "dropout": 0.0, "pieces": 70}
LENGTHS = {"positions": 40, "max_lengths": (40, 40)}
STEPS = {"schedule": "cosine", "branch_scale": 0.5, "warmup_steps": 100, "epochs": 40}
SETTINGS = TINY.changed(**SIZES, **LENGTHS, **STEPS)


@pytest.fixture(scope="module")
def trained_translator(tmp_path_factory):
    """A translator that has learnt something, from a run directory."""
    run_dir = tmp_path_factory.mktemp("runs") / "tiny"
    train_translator(run_dir, CORPUS, SETTINGS, fit=False, report=lambda line: None).fit()
    return Translator.load(run_dir)


@pytest.fixture(scope="module")
def strange(trained_translator):
    """A translator in which every weight matters, and the epsilon of each normalisation."""
    model = build_transformer(SETTINGS.model, trained_translator.tokenizers, "float32")
    model.network.set_weights(trained_translator.model.network.get_weights())
    translator = Translator(model, trained_translator.tokenizers, trained_translator.max_length)
    noise = np.random.default_rng(1)
    for weight in translator.model.network.trainable_variables:
        small = weight.name in ("gamma", "beta", "bias")  # so what is normalised next is small
        weight.assign((0.01 if small else 1) * (weight + 0.3 * noise.normal(size=weight.shape)))
    final_layer = translator.model.network.final_layer
    final_layer.kernel.assign(100 * final_layer.kernel)
    return translator


@pytest.fixture(scope="module")
def tied(tmp_path_factory):
    """A translator with one embedding table, which has learnt nothing yet."""
    run_dir = tmp_path_factory.mktemp("runs") / "tied"
    settings = SETTINGS.changed(tokenizer="joint", tie_embeddings=True)
    training = train_translator(run_dir, CORPUS, settings, fit=False, report=lambda line: None)
    embeddings = training.model.encoder.embedding.embeddings
    embeddings.assign(10 * embeddings)
    return Translator(TransformerModel(training.model), tokenizers_of(training), 40)


# --- CTranslate2


@pytest.fixture
def export(tmp_path):
    """export(translator, quantization="float32"): the exported translator, loaded."""

    def make(translator, **options):
        export_ctranslate2(translator, tmp_path, **options)
        return ctranslate2.Translator(str(tmp_path), intra_threads=1)

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


@pytest.mark.parametrize("name", ["strange", "tied"])
def test_token_log_probabilities_agree(request, name, export):
    """Of any pieces, up to the last position that the model has."""
    translator = request.getfixturevalue(name)
    source, target = translator.tokenizers.source, translator.tokenizers.target
    choice = np.random.default_rng(0)
    lengths = [(1, 38), (38, 1), (38, 38), (20, 30), (7, 3)]
    inp = [choice.integers(1, source.pieces, n).tolist() for n, _ in lengths]
    tar = [choice.integers(1, target.pieces, n).tolist() for _, n in lengths]
    scores = export(translator).score_batch(named(source, inp), named(target, tar))

    inp, tar = with_ends(source, inp), with_ends(target, tar)
    logits = translator.model.network(inp, tar[:, :-1])[0].numpy().astype(np.float64)
    logits[:, :, [0, target.start_id]] = -np.inf
    log_probs = logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True)
    for score, rows, ids in zip(scores, log_probs, tar.numpy(), strict=True):
        written = ids[1:][ids[1:] > 0]
        expected = rows[np.arange(len(written)), written]
        np.testing.assert_allclose(score.log_probs, expected, atol=1e-4)


def named(tokenizer, ids):
    names = vocabulary(tokenizer)
    return [[names[i] for i in row] for row in ids]


def with_ends(tokenizer, ids):
    rows = [[tokenizer.start_id, *row, tokenizer.end_id] for row in ids]
    return tf.ragged.constant(rows, dtype=tf.int32).to_tensor()


@pytest.mark.parametrize("beam_size", [1, 5])
def test_translations_are_the_same(trained_translator, export, beam_size):
    theirs, ours = search(export(trained_translator), trained_translator, SOURCES, beam_size)

    assert theirs[0] == ours[0]
    np.testing.assert_allclose(theirs[1], ours[1], atol=1e-3)
    assert len(set(ours[0])) > 20  # something was learnt, and said


def test_eight_bits_translate_nearly_alike(trained_translator, export):
    theirs, ours = search(
        export(trained_translator, quantization="int8"), trained_translator, SOURCES, 1
    )
    assert np.mean([a == b for a, b in zip(theirs[0], ours[0], strict=True)]) > 0.8


def test_no_text_can_name_a_special_token(tmp_path):
    """Sentencepiece hands on as it is what it does not know: here all Latin letters."""
    tokenizer = train_tokenizer(["ο σκύλος βλέπει τη γάτα"] * 50, "el", 40, tmp_path / "el.model")
    names = vocabulary(tokenizer)
    special = {names[i] for i in (0, tokenizer.start_id, tokenizer.end_id)}
    assert len(set(names)) == tokenizer.vocabulary_size
    for name in (*special, "<start>"):
        found = subword_model(tokenizer).encode(f"γάτα {name}", out_type=str)
        assert special.isdisjoint(found)


# --- SavedModel

STRANGER = """
import sys
sys.modules["tf_models"] = None  # cannot be imported
import numpy as np
import tensorflow as tf

folder, ids, results = sys.argv[1:]
signatures = tf.saved_model.load(folder).signatures
ids = tf.constant(np.load(ids))
found = {name: signatures[name](ids=ids) for name in ("greedy", "beam_search")}
np.savez(results, **{f"{n}_{key}": v for n, both in found.items() for key, v in both.items()})
"""


def test_a_process_without_this_package_finds_the_same(trained_translator, tmp_path):
    folder, files = tmp_path / "export", [tmp_path / "ids.npy", tmp_path / "results.npz"]
    export_saved_model(trained_translator, folder, beam_size=3, length_penalty=0.6)
    sources = [trained_translator.source.encode(sentence) for sentence in SOURCES]
    ids = tf.ragged.constant(sources, dtype=tf.int32).to_tensor()
    np.save(files[0], ids)
    subprocess.run([sys.executable, "-c", STRANGER, *map(str, [folder, *files])], check=True)

    found = np.load(files[1])
    for name, options in {"greedy": (1, 0.0), "beam_search": (3, 0.6)}.items():
        expected = trained_translator.search(options[0], ids, options[1])
        np.testing.assert_array_equal(found[f"{name}_ids"], expected.ids)
        np.testing.assert_allclose(found[f"{name}_scores"], expected.scores, atol=1e-5)
    described = json.loads((folder / "translator.json").read_text())
    assert (described["beam_size"], described["length_penalty"]) == (3, 0.6)
    assert described["target"]["end_id"] == trained_translator.tokenizers.target.end_id
    assert (described["max_source_length"], described["max_target_length"]) == (40, 39)
    assert (folder / "source.model").is_file()
