import pytest

from tf_models.errors import InputError
from tf_models.tasks.translation.presets import epochs_for, preset, preset_for
from tf_models.tasks.translation.settings import TranslatorSettings


@pytest.mark.parametrize(
    ("corpora", "name"),
    [
        (["toy"], "toy"),
        (["everyday"], "toy"),
        (["toy", "own.tsv"], "toy"),
        (["own.tsv"], "best"),
        (["multi30k"], "best"),
    ],
)
def test_the_preset_follows_the_corpus(corpora, name):
    assert preset_for(corpora)[0] == name


@pytest.mark.parametrize(("pairs", "epochs"), [(250, 240), (999, 61), (1000, 60), (10**7, 60)])
def test_a_small_corpus_has_more_epochs(pairs, epochs):
    assert epochs_for(preset("best"), pairs) == preset("best").changed(epochs=epochs)


def test_the_articles_settings():
    """Row 19."""
    settings = preset("article")
    model, optimizer, batching = settings.model, settings.optimizer, settings.batching

    assert (model.num_layers, model.d_model, model.num_heads) == (4, 128, 8)
    assert (model.dff, model.dropout, optimizer.warmup_steps) == (512, 0.1, 4000)
    assert (settings.tokenizer.pieces, batching.batch_size) == (10_000, 64)
    assert settings.training.epochs == 30
    assert batching.max_lengths == (41, 42)
    assert batching.padded


def test_a_preset_trains_recurrent_models_in_their_own_way():
    best, recurrent = preset("best"), preset("best", "rnn-attention")

    assert (best.optimizer.weight_decay, recurrent.optimizer.weight_decay) == (0.5, 0.0)
    assert recurrent.training.epochs < best.training.epochs
    assert recurrent.tokenizer == best.tokenizer
    assert recurrent.decoding == best.decoding


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"d_model": 130}, "received d_model=130, num_heads=8"),
        ({"dropout": 1.0}, "dropout must be at least 0 and below 1; received 1.0"),
        ({"epochs": 0}, "epochs must be at least 1; received 0"),
        ({"tokenizer": "words"}, "tokenizer must be one of separate, joint, bpemb; received words"),
        ({"max_lengths": (500, 42)}, r"must be 3 to positions=128; received \(500, 42\)"),
        ({"pieces": 3}, "pieces must be at least 10 and at most 1e\\+06; received 3"),
        ({"batch_tokens": 2048}, "padded must be false where batches hold a number of tokens"),
        ({"tie_embeddings": True}, "pass --tokenizer joint"),
        ({"pretrained_vectors": True}, "pass that as well"),
    ],
)
def test_settings_that_make_no_sense(changes, message):
    with pytest.raises(InputError, match=message):
        TranslatorSettings().changed(**changes)


def test_recurrent_models_have_one_precision():
    for model in ("rnn", "rnn-attention"):
        with pytest.raises(InputError, match=f"--model {model} computes in float32 only"):
            preset("best", model).changed(precision="mixed_bfloat16")


def test_unknown_preset():
    with pytest.raises(InputError, match="one of toy, article, best; received 'huge'"):
        preset("huge")
