import numpy as np
import pytest

from tests.support import language
from tf_models.data.text.pairs import SentencePair
from tf_models.data.text.tokenizer import train_tokenizer
from tf_models.errors import InputError
from tf_models.tasks.autoencoding.evaluation import exact_by_length
from tf_models.tasks.autoencoding.sentences import (
    SentenceCoder,
    build_sequence_autoencoder,
    prepare_sequence_training,
    sources,
)
from tf_models.tasks.autoencoding.settings import preset
from tf_models.training.run_directory import FORMAT, RunDirectory

SETTINGS = preset("lstm").changed(embedding_dim=8, code_size=32, pieces=40, batch_size=16, epochs=2)


@pytest.fixture(params=[False, True], ids=["lstm", "bi-lstm"])
def prepare(request, tmp_path):
    def make(name="run", **changes):
        settings = SETTINGS.changed(bidirectional=request.param, **changes)
        run = RunDirectory(tmp_path / name)
        return prepare_sequence_training(
            run, language.corpus(), settings, 0, report=lambda line: None
        )

    return make


@pytest.mark.slow
@pytest.mark.parametrize("prepare", [True], indirect=True)
def test_resumed_is_uninterrupted(prepare):
    whole = prepare("whole")
    assert whole.loop.fit(2)
    prepare("parts").loop.fit(1)
    second = prepare("parts")
    assert second.loop.fit(2)

    for a, b in zip(whole.model.get_weights(), second.model.get_weights(), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.slow
def test_sentences_go_through_their_codes_and_back(prepare):
    training = prepare(epochs=3)
    training.loop.fit(3)
    coder = SentenceCoder.load(training.run.path, "latest")
    sentences = [pair.source for pair in language.corpus().train]
    written, comparison = coder.reconstruct(sentences)

    assert coder.encode(sentences[:3]).shape == (3, coder.code_size) == (3, 64)
    # In another order, alone or together: each comes back to its own place.
    assert len(set(written)) > 1
    assert coder.reconstruct(sentences[::-1])[0] == written[::-1]
    assert coder.reconstruct(sentences[:1])[0] == written[:1]
    # Codes are all that it needs, whoever made them.
    assert coder.write(coder.encode(sentences)) == written
    exact = [one == other for one, other in zip(sentences, written, strict=True)]
    assert comparison.free_exact.sum() == comparison.forced_exact.sum() == sum(exact)
    assert 0 < comparison.free_accuracy < 1
    assert 0 < comparison.forced_accuracy < 1


def test_exactness_by_the_number_of_words():
    sentences = ["a", "a b c", "a b c d", "a b c d e f", "a b c d e f g h i j"]
    found = exact_by_length(sentences, np.array([True, False, True, True, False]))
    assert found == {"1-3": (0.5, 2), "4-6": (1.0, 2), "10-12": (0.0, 1)}


def test_a_sentence_with_two_translations_counts_once():
    pairs = [SentencePair("hi", "hallo"), SentencePair("go", "geh"), SentencePair("hi", "servus")]
    assert sources(pairs) == ["hi", "go"]


@pytest.mark.slow
@pytest.mark.parametrize("prepare", [True], indirect=True)
def test_it_learns_a_small_language(prepare):
    training = prepare(epochs=100, learning_rate=0.01, code_size=64)
    training.loop.fit(100)
    coder = SentenceCoder.load(training.run.path, "latest")
    sentences = [pair.source for pair in language.corpus().train]
    pairs = zip(sentences, coder.reconstruct(sentences)[0], strict=True)
    assert np.mean([one == other for one, other in pairs]) > 0.9


def test_another_kind_of_run(prepare, tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "config.json").write_text(f'{{"format": {FORMAT}, "kind": "vae"}}')
    with pytest.raises(InputError, match="a run of kind vae, not sequence autoencoder"):
        SentenceCoder.load(tmp_path / "other")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"code_size": 3, "bidirectional": True}, "code_size must be even"),
        ({"pieces": 5}, "pieces: must be greater than or equal to 10; received 5"),
    ],
)
def test_settings_that_make_no_sense(change, message):
    with pytest.raises(InputError, match=message):
        SETTINGS.changed(**change)


@pytest.mark.parametrize(
    ("sentences", "message"),
    [
        ("the dog sleeps .", "expected a list of sentences; received 'the dog sleeps .'"),
        (["the dog", None], "a sentence must be text; received NoneType"),
        ([" "], "the sentence is empty"),
    ],
)
def test_sentences_that_cannot_be_read(sentences, message, tmp_path):
    texts = [pair.source for pair in language.corpus().train]
    tokenizer = train_tokenizer(texts, "en", 40, tmp_path / "source.model")
    coder = SentenceCoder(build_sequence_autoencoder(SETTINGS, tokenizer), tokenizer, 20)
    for method in (coder.encode, coder.reconstruct):
        with pytest.raises(InputError, match=message):
            method(sentences)
