"""Setting up a training."""

import json
import shutil

import numpy as np
import pytest
import tensorflow as tf
from tests.support.interruption import curve, interrupt_after

from tests.support.language import PAIRS
from tests.support.tiny import in_folder
from tf_models.data.text.bpemb import pretrained_vectors
from tf_models.data.text.corpora import Corpus, mix
from tf_models.errors import InputError
from tf_models.tasks.translation.known_words import load_known_words, save_known_words, words_of

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
    table = training.model.network.encoder.embedding.embeddings.numpy()

    assert training.tokenizers.source.vocabulary_size == 1002 == len(table)
    assert training.tokenizers.source.lowercase
    np.testing.assert_allclose(np.corrcoef(table[500], vectors[500])[0, 1], 1, atol=1e-5)
    assert 0.01 < table.std() < 0.1  # as large as random ones


def test_vectors_of_another_size(prepare, data_dir):
    with pytest.raises(InputError, match="no 'en' vectors of 16 dimensions; it has 25, 50"):
        prepare(data_dir=data_dir, tokenizer="bpemb", pieces=1000, pretrained_vectors=True)


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_seeds_out_of_range(prepare, seed):
    with pytest.raises(InputError, match=f"received {seed}"):
        prepare(seed=seed)


def test_a_mistake_can_be_mended_in_the_same_place(prepare):
    with pytest.raises(InputError, match="cannot train 12 en subword pieces: .* 12 vs 25"):
        prepare(pieces=12)

    assert prepare(pieces=60).loop.fit(1)


def test_one_tokenizer_for_both_languages(prepare):
    tokenizers = prepare(tokenizer="joint").tokenizers

    assert tokenizers.source.encode("Hund dog") == tokenizers.target.encode("Hund dog")


def test_tokenizers_come_from_the_training_pairs_alone(prepare, corpus):
    training = prepare()
    seen = {char for pair in corpus.train for char in pair.source}

    assert training.tokenizers.source.unknown_rate([pair.source for pair in corpus.train]) == 0
    assert "z" not in seen
    assert training.tokenizers.source.unknown_rate(["z"]) > 0


def test_a_run_keeps_the_words_that_it_is_trained_on(prepare, corpus):
    training = prepare()
    known = load_known_words(training.run.words_file)

    assert known == words_of(pair.source for pair in corpus.train)
    changed = training.run.words_file.stat().st_mtime_ns
    assert training.loop.fit(1)
    assert prepare().run.words_file.stat().st_mtime_ns == changed  # a resumed one has them


def test_words_of_an_attempt_that_saved_nothing_are_forgotten(prepare, corpus):
    run = prepare().run
    save_known_words(run.words_file, {"other"})

    assert "other" not in load_known_words(prepare(seed=1).run.words_file)


@pytest.mark.parametrize("optimizer", ["adam", "muon"])
def test_weight_decay_takes_a_share_of_kernels_and_embeddings_alone(prepare, optimizer):
    training = prepare(optimizer=optimizer, weight_decay=0.5, warmup_steps=1, peak=0.1)
    chosen = training.loop.step.optimizer
    variables = training.model.network.trainable_variables
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
    training = prepare_mixed()
    assert training.loop.fit(2)
    tokens = {
        label: sum(
            len(training.tokenizers.target.encode(pair.target)) - 1 for pair in part.validation
        )
        for label, part in training.corpus.parts.items()
    }
    first, second = tokens
    assert (first, second) == ("toy language", "other")
    for row in training.loop.history.rows:
        for name in ("loss", "accuracy"):
            sums = sum(tokens[label] * row[f"val_{name}_{label}"] for label in tokens)
            assert row[f"val_{name}"] == pytest.approx(sums / sum(tokens.values()), rel=1e-5)
        assert row[f"val_loss_{first}"] != row[f"val_loss_{second}"]


def test_each_corpus_has_its_line(corpus, tmp_path):
    lines = []
    training = in_folder(tmp_path, mix([corpus, other_corpus()]), lines.append)()
    assert training.loop.fit(1)

    assert "3 other validation pairs (0 longer than 30 source or 30 target tokens dropped)" in lines
    *_, whole, first, second = lines
    assert whole.startswith("epoch 1/1: loss")
    assert whole.count("val_loss") == 1
    assert first.startswith("  val_loss_toy language ")
    assert second.startswith("  val_loss_other ")


@pytest.mark.slow
def test_a_mixed_training_goes_on_to_the_bit(prepare_mixed):
    whole = prepare_mixed("whole")
    assert whole.loop.fit(2)
    part = prepare_mixed("parts")
    interrupt_after(part, 9)
    assert not part.loop.fit(2)
    resumed = prepare_mixed("parts")
    assert resumed.loop.fit(2)

    assert curve(resumed) == curve(whole)
    for one, other in zip(weights(resumed), weights(whole), strict=True):
        np.testing.assert_array_equal(one, other)


def weights(training):
    return [variable.numpy() for variable in training.model.network.variables]


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
    assert training.loop.fit(1)
    with pytest.raises(InputError, match=r"training_pairs was \[85, 20\] and is 85 now"):
        prepare()
    with pytest.raises(InputError, match=r"training_pairs was \[85, 20\] and is \[85, 19\] now"):
        in_folder(tmp_path, mix([corpus, other_corpus(19)]))()
