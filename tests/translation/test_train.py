"""Setting up a training."""

import json
import shutil
from pathlib import Path

import keras
import numpy as np
import pytest
import tensorflow as tf

from tests.support.language import PAIRS, write_pairs
from tests.support.tiny import TINY, in_folder, tokenizers_of
from tf_models.data.corpora import Corpus, load_corpora, mix
from tf_models.data.subword_models import pretrained_vectors
from tf_models.data.words import word_forms
from tf_models.errors import InputError
from tf_models.transformer.model import Transformer
from tf_models.translation.evaluate import evaluate_run
from tf_models.translation.load import load_known_words
from tf_models.translation.train import train_translator
from tf_models.translation.translate import Translator

# tests/training runs graphs.
pytestmark = pytest.mark.usefixtures("line_by_line")


@pytest.fixture
def data_dir(shared_data, tmp_path):
    """BPEmb's English files, under their own names and as if they were German ones."""
    source = shared_data / "bpemb" / "en"
    for code in ("en", "de"):
        (tmp_path / "bpemb" / code).mkdir(parents=True)
        for path in source.glob("en.wiki.bpe.vs1000.*"):
            shutil.copy(path, tmp_path / "bpemb" / code / path.name.replace("en.", f"{code}.", 1))
    return tmp_path


def test_bpemb_and_its_vectors(prepare, data_dir):
    training = prepare(
        data_dir=data_dir,
        tokenizer="bpemb",
        pieces=1000,
        d_model=25,
        num_heads=5,
        pretrained_vectors=True,
    )
    vectors = pretrained_vectors("en", 1000, 25, data_dir)
    table = training.model.encoder.embedding.embeddings.numpy()

    assert tokenizers_of(training).source.vocabulary_size == 1002 == len(table)
    assert tokenizers_of(training).source.lowercase
    np.testing.assert_allclose(np.corrcoef(table[500], vectors[500])[0, 1], 1, atol=1e-5)
    assert 0.01 < table.std() < 0.1  # as large as random ones


def test_a_run_keeps_the_words_that_it_is_trained_on(prepare, corpus):
    training = prepare()
    known = load_known_words(training.run)

    assert known == word_forms(pair.source for pair in corpus.train)
    changed = training.run.words_file.stat().st_mtime_ns
    training.fit()
    assert prepare().run.words_file.stat().st_mtime_ns == changed  # a resumed one has them


@pytest.mark.parametrize("optimizer", ["adam", "muon"])
def test_weight_decay_takes_a_share_of_kernels_and_embeddings_alone(prepare, optimizer):
    training = prepare(optimizer=optimizer, weight_decay=0.5, warmup_steps=1, peak=0.1)
    chosen = training.model.optimizer
    variables = training.model.trainable_variables
    for variable in variables:
        variable.assign(np.ones(variable.shape))
    nothing = [tf.zeros(variable.shape) for variable in variables]

    chosen.apply(nothing, variables)  # at the rate of 0, with which the warm-up starts
    kept = 1 - 0.5 * float(chosen.learning_rate)
    chosen.apply(nothing, variables)

    assert kept < 0.96
    for variable in variables:
        plain = variable.name in ("bias", "gamma", "beta")
        np.testing.assert_allclose(variable, 1 if plain else kept, rtol=1e-6, err_msg=variable.path)


# --- other classes of Transformers


@keras.saving.register_keras_serializable(package="tests")
class Positionless(Transformer):
    def __init__(self, *sizes, **options):
        super().__init__(*sizes, position_encoding="none", **options)


class Unregistered(Transformer):
    pass


@pytest.fixture
def train_class(corpus, tmp_path):
    def start(name="run", **options):
        settings = TINY.changed(epochs=1)
        options |= {"fit": False, "report": lambda line: None}
        return train_translator(tmp_path / name, corpus, settings, **options)

    return start


def test_a_run_is_loaded_as_the_class_that_was_trained(train_class, monkeypatch):
    training = train_class(transformer_class=Positionless)
    training.fit()
    path = training.run.path

    assert type(Translator.load(path).model.network) is Positionless
    with pytest.raises(InputError):
        train_class()  # another class
    with pytest.raises(InputError):
        train_class("further", start_from=str(path))
    name = keras.saving.get_registered_name(Positionless)
    monkeypatch.delitem(keras.saving.get_custom_objects(), name)  # its module is not imported
    with pytest.raises(InputError, match="Positionless"):
        Translator.load(path)


def test_a_class_that_could_not_be_loaded_is_not_trained(train_class):
    with pytest.raises(InputError, match="Unregistered"):
        train_class(transformer_class=Unregistered)


def test_a_class_with_another_loss_is_loaded_as_the_article_s(train_class):
    training = train_class(transformer_class=Unregistered, inference_class=Transformer)
    training.fit()

    assert type(training.model) is Unregistered
    assert type(Translator.load(training.run.path).model.network) is Transformer


# --- several corpora


def other_corpus():
    return Corpus("data/other.txt", "en", "de", PAIRS[100:120], PAIRS[130:133], PAIRS[140:])


@pytest.fixture
def prepare_mixed(corpus, tmp_path):
    return in_folder(tmp_path, mix([corpus, other_corpus()]))


def test_a_run_is_bound_to_its_corpora(prepare_mixed, prepare, corpus):
    training = prepare_mixed(epochs=1)
    data = json.loads(training.run.config_file.read_text("utf-8"))["data"]
    assert data["corpus"] == ["toy language", "data/other.txt"]
    assert data["fingerprint"] == [corpus.fingerprint(), other_corpus().fingerprint()]
    training.fit()
    with pytest.raises(InputError, match=r"training_pairs was \[85, 20\] and is 85 now"):
        prepare(epochs=1)


def test_a_run_is_measured_on_its_own_test_pairs(tmp_path):
    """However many pairs it was trained on, and whatever seed had chosen them."""
    names = [str(write_pairs(tmp_path / name)) for name in ("deu.txt", "en-de.txt")]
    corpus = load_corpora(names, max_pairs=60, seed=3)
    training = in_folder(tmp_path, corpus)(epochs=1)
    training.fit()
    path = training.run.path

    expected = [len(part.test) for part in corpus.parts.values()]
    scores = evaluate_run(path)
    assert [score.sentences for score in scores.values()] == expected
    assert [*evaluate_run(path, corpus=names[1]).values()] == [*scores.values()][1:]


def test_a_corpus_may_lie_elsewhere_when_its_training_resumes(tmp_path):
    own = write_pairs(tmp_path / "deu.txt")
    in_folder(tmp_path, load_corpora(str(own)))(epochs=1).fit()
    moved = str(own.rename(tmp_path / "en-de.txt"))
    resumed = in_folder(tmp_path, load_corpora(moved))(epochs=1)

    resumed.restore()
    assert len(resumed.history.rows) == 1
    assert resumed.run.read_config()["data"]["corpus"] == moved
    unnamed = str(Path(moved).rename(tmp_path / "own.txt"))
    with pytest.raises(InputError, match="source_language was 'en' and is 'fr' now"):
        in_folder(tmp_path, load_corpora(unnamed, languages=("fr", "de")))(epochs=1)
