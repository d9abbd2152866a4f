import numpy as np
import pytest

from tests.support import language
from tf_models.autoencoding.sentences import SentenceCoder, sources, train_sentence_autoencoder
from tf_models.autoencoding.settings import preset
from tf_models.data.pairs import SentencePair
from tf_models.errors import InputError

SETTINGS = preset("lstm").changed(embedding_dim=8, code_size=32, pieces=40, batch_size=16, epochs=2)


@pytest.fixture(params=[False, True], ids=["lstm", "bi-lstm"])
def train(request, tmp_path):
    def make(**changes):
        settings = SETTINGS.changed(bidirectional=request.param, **changes)
        options = {"evaluates": False, "report": lambda line: None}
        return train_sentence_autoencoder(tmp_path / "run", language.corpus(), settings, **options)

    return make


@pytest.mark.slow
def test_sentences_go_through_their_codes_and_back(train):
    training = train(epochs=3)
    coder = SentenceCoder.load(training.run.path, "latest")
    sentences = [pair.source for pair in language.corpus().train]
    codes = coder.encode(sentences)
    written = coder.write(codes)

    assert codes.shape == (len(sentences), coder.code_size) == (len(sentences), 64)
    # In another order, alone or together: each comes back to its own place.
    assert len(set(written)) > 1
    assert coder.write(coder.encode(sentences[::-1])) == written[::-1]
    assert coder.write(codes[:1]) == written[:1]


def test_a_sentence_with_two_translations_counts_once():
    pairs = [SentencePair("hi", "hallo"), SentencePair("go", "geh"), SentencePair("hi", "servus")]
    assert sources(pairs) == ["hi", "go"]


@pytest.mark.slow
@pytest.mark.parametrize("train", [True], indirect=True)
def test_it_learns_a_small_language(train):
    training = train(epochs=100, learning_rate=0.01, code_size=64)
    coder = SentenceCoder.load(training.run.path, "latest")
    sentences = [pair.source for pair in language.corpus().train]
    pairs = zip(sentences, coder.write(coder.encode(sentences)), strict=True)
    assert np.mean([one == other for one, other in pairs]) > 0.9


def test_another_kind_of_run(tiny_run):
    with pytest.raises(InputError, match="a run of kind vae, not sequence autoencoder"):
        SentenceCoder.load(tiny_run("vae"))
