"""Setting up a training."""

import shutil

import numpy as np
import pytest
import tensorflow as tf

from tf_models.data.text.bpemb import pretrained_vectors
from tf_models.errors import InputError


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
    with pytest.raises(InputError, match="cannot train 12"):
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
