"""Setting up a training."""

import json
import shutil

import numpy as np
import pytest
import tensorflow as tf

from tests.support.language import PAIRS
from tests.support.tiny import in_folder, tokenizers_of
from tf_models.data.corpora import Corpus, mix
from tf_models.data.tokenizers import pretrained_vectors
from tf_models.errors import InputError
from tf_models.translation.known_words import load_known_words, save_known_words, words_of

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


def test_vectors_of_another_size(prepare, data_dir):
    with pytest.raises(InputError, match="no 'en' vectors of 16 dimensions; it has 25, 50"):
        prepare(data_dir=data_dir, tokenizer="bpemb", pieces=1000, pretrained_vectors=True)


def test_a_mistake_can_be_mended_in_the_same_place(prepare):
    with pytest.raises(InputError, match="cannot train 12 en subword pieces: .* 12 vs 25"):
        prepare(pieces=12)

    assert prepare(pieces=60, epochs=1).fit()


def test_one_tokenizer_for_both_languages(prepare):
    tokenizers = tokenizers_of(prepare(tokenizer="joint"))

    assert tokenizers.source.encode("Hund dog") == tokenizers.target.encode("Hund dog")


def test_tokenizers_come_from_the_training_pairs_alone(prepare, corpus):
    training = prepare()
    seen = {char for pair in corpus.train for char in pair.source}

    assert tokenizers_of(training).source.unknown_rate([pair.source for pair in corpus.train]) == 0
    assert "z" not in seen
    assert tokenizers_of(training).source.unknown_rate(["z"]) > 0


def test_a_run_keeps_the_words_that_it_is_trained_on(prepare, corpus):
    training = prepare()
    known = load_known_words(training.run.words_file)

    assert known == words_of(pair.source for pair in corpus.train)
    changed = training.run.words_file.stat().st_mtime_ns
    assert training.fit()
    assert prepare().run.words_file.stat().st_mtime_ns == changed  # a resumed one has them


def test_words_of_an_attempt_that_saved_nothing_are_forgotten(prepare, corpus):
    run = prepare().run
    save_known_words(run.words_file, {"other"})

    assert "other" not in load_known_words(prepare(seed=1).run.words_file)


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


# --- several corpora


def other_corpus(size=20):
    return Corpus(
        "data/other.txt", "en", "de", PAIRS[100 : 100 + size], PAIRS[130:133], PAIRS[140:]
    )


@pytest.fixture
def prepare_mixed(corpus, tmp_path):
    return in_folder(tmp_path, mix([corpus, other_corpus()]))


def test_batches_are_of_all_corpora(prepare_mixed, corpus):
    training = prepare_mixed()
    firsts = len(corpus.train)
    batches = training.batches.shuffled(0)

    assert sum(map(len, batches)) == firsts + 20
    mixed = [rows for rows in batches if (rows < firsts).any() and (rows >= firsts).any()]
    assert len(mixed) > len(batches) / 2


def test_validation_is_of_all_pairs_and_of_each_corpus(prepare_mixed, corpus):
    training = prepare_mixed(epochs=2)
    assert training.fit()
    tokens = {
        label: sum(
            len(tokenizers_of(training).target.encode(pair.target)) - 1 for pair in part.validation
        )
        for label, part in mix([corpus, other_corpus()]).parts.items()
    }
    first, second = tokens
    assert (first, second) == ("toy language", "other")
    for row in training.history.rows:
        for name in ("loss", "accuracy"):
            sums = sum(tokens[label] * row[f"val_{name}_{label}"] for label in tokens)
            assert row[f"val_{name}"] == pytest.approx(sums / sum(tokens.values()), rel=1e-5)
        assert row[f"val_loss_{first}"] != row[f"val_loss_{second}"]


def test_a_run_is_bound_to_its_corpora(prepare_mixed, prepare, corpus, tmp_path):
    training = prepare_mixed()
    data = json.loads(training.run.config_file.read_text("utf-8"))["data"]
    assert data == {
        "corpus": ["toy language", "data/other.txt"],
        "source_language": "en",
        "target_language": "de",
        "training_pairs": [len(corpus.train), 20],
        "validation_pairs": [len(corpus.validation), 3],
        "test_pairs": [len(corpus.test), 4],
        "fingerprint": [corpus.fingerprint(), other_corpus().fingerprint()],
    }
    assert training.fit()
    with pytest.raises(InputError, match=r"training_pairs was \[85, 20\] and is 85 now"):
        prepare()
    with pytest.raises(InputError, match=r"training_pairs was \[85, 20\] and is \[85, 19\] now"):
        in_folder(tmp_path, mix([corpus, other_corpus(19)]))()
