import pytest

from tf_models.errors import InputError
from tf_models.translation.settings import TranslatorSettings, preset


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
    best, recurrent = preset("best"), preset("best", "rnn")

    assert recurrent.architecture == "rnn"
    assert (best.optimizer.weight_decay, recurrent.optimizer.weight_decay) == (0.5, 0.0)
    assert recurrent.training.epochs < best.training.epochs
    assert recurrent.tokenizer == best.tokenizer
    assert recurrent.decoding == best.decoding


@pytest.mark.parametrize("model", ["transformer", "rnn", "rotary"])
def test_they_come_back_from_config_json(model):
    settings = preset("toy", model).changed(min_steps=0, fixed=frozenset())
    assert TranslatorSettings.from_config(settings.model_dump(mode="json")) == settings


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"d_model": 130}, "received d_model=130, num_heads=8"),
        ({"max_lengths": (500, 42)}, r"must be 3 to positions=128; received \(500, 42\)"),
        ({"batch_tokens": 2048}, "add --batch-tokens 0"),
        ({"tie_embeddings": True}, "needs --tokenizer joint"),
        ({"mimetic_initialisation": True}, "needs --tie-embeddings"),
        ({"pretrained_vectors": True}, "needs --tokenizer bpemb"),
        ({"architecture": "rnn", "precision": "mixed_float16"}, "--precision float32 only"),
        ({"architecture": "bag-of-words"}, "must be one of transformer, rnn-attention, rnn"),
    ],
)
def test_settings_that_make_no_sense(changes, message):
    with pytest.raises(InputError, match=message):
        TranslatorSettings().changed(**changes)
