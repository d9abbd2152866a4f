import numpy as np
import pytest
import tensorflow as tf

from tests.support.language import PAIRS as SHORT
from tests.support.tiny import TINY, tokenizers_of
from tf_models.data.corpora import Corpus
from tf_models.data.pairs import SentencePair
from tf_models.training.run_directory import RunDirectory
from tf_models.translation.model import TransformerModel, build_transformer
from tf_models.translation.train import prepare_training
from tf_models.translation.translate import Translator

LONG = [
    SentencePair(f"{first[0][:-1]} and {second[0]}", f"{first[1][:-1]} und {second[1]}")
    for first, second in zip(SHORT[::2], SHORT[::-2], strict=True)
]
PAIRS = SHORT + LONG
SETTINGS = TINY.changed(
    num_layers=2,
    d_model=64,
    num_heads=4,
    dff=96,
    dropout=0.0,
    pieces=70,
    positions=40,
    max_lengths=(40, 40),
    schedule="cosine",
    branch_scale=0.5,
    warmup_steps=100,
    epochs=25,
)


@pytest.fixture(scope="session")
def trained_translator(tmp_path_factory):
    """A translator that has learnt something, from a run directory."""
    run = RunDirectory(tmp_path_factory.mktemp("runs") / "tiny")
    corpus = Corpus("tiny", "en", "de", PAIRS, PAIRS[::9], [])
    training = prepare_training(run, corpus, SETTINGS, seed=0, report=lambda line: None)
    training.fit()
    return Translator.load(run.path)


@pytest.fixture(scope="session")
def strange(trained_translator):
    """A translator in which every weight matters, and the epsilon of each normalisation."""
    model = copy_of(trained_translator.model, trained_translator.tokenizers)
    noise = np.random.default_rng(1)
    for weight in model.network.trainable_variables:
        small = weight.name in ("gamma", "beta", "bias")  # so what is normalised next is small
        weight.assign((0.01 if small else 1) * (weight + 0.3 * noise.normal(size=weight.shape)))
    final_layer = model.network.final_layer
    final_layer.kernel.assign(100 * final_layer.kernel)
    return Translator(model, trained_translator.tokenizers, trained_translator.max_length)


@pytest.fixture(scope="session")
def tied(tmp_path_factory):
    """A translator with one embedding table, which has learnt nothing yet."""
    run = RunDirectory(tmp_path_factory.mktemp("runs") / "tied")
    corpus = Corpus("tiny", "en", "de", PAIRS, PAIRS[::9], [])
    settings = SETTINGS.changed(tokenizer="joint", tie_embeddings=True)
    training = prepare_training(run, corpus, settings, seed=0, report=lambda line: None)
    training.model.encoder.embedding.embeddings.assign(
        10 * training.model.encoder.embedding.embeddings
    )
    return Translator(TransformerModel(training.model), tokenizers_of(training), 40)


@pytest.fixture(params=["trained_translator", "strange", "tied"])
def each_translator(request):
    """One after the other."""
    return request.getfixturevalue(request.param)


@pytest.fixture
def changed(trained_translator):
    """changed(padding=9.0, end=-9.0): the trained translator with these logits raised so far."""

    def make(**raised):
        target = trained_translator.tokenizers.target
        ids = {"padding": 0, "start": target.start_id, "end": target.end_id}
        model = copy_of(trained_translator.model, trained_translator.tokenizers)
        bias = model.network.final_layer.bias.numpy()
        for name, amount in raised.items():
            bias[ids[name]] += amount
        model.network.final_layer.bias.assign(bias)
        return Translator(model, trained_translator.tokenizers, trained_translator.max_length)

    return make


@pytest.fixture
def in_bfloat16(trained_translator):
    """The trained translator under mixed precision."""
    model = copy_of(trained_translator.model, trained_translator.tokenizers, "mixed_bfloat16")
    return Translator(model, trained_translator.tokenizers, 40)


@pytest.fixture
def sentences():
    return [pair.source for pair in PAIRS]


@pytest.fixture
def other_targets():
    """For each of the sentences, the translation of another."""
    return [pair.target for pair in PAIRS[::-1]]


def copy_of(model, tokenizers, dtype="float32"):
    new = build_transformer(SETTINGS.model, tokenizers, dtype)
    new.network.set_weights(model.network.get_weights())
    return new


@pytest.fixture
def token_log_probs():
    """token_log_probs(translator, sources, targets): of each id after the first, teacher-forced."""

    def compute(translator, sources, targets):
        inp, tar = (
            tf.ragged.constant(ids, dtype=tf.int32).to_tensor() for ids in (sources, targets)
        )
        logits = translator.model.network(inp, tar[:, :-1])[0].numpy().astype(np.float64)
        logits[:, :, [0, translator.tokenizers.target.start_id]] = -np.inf
        log_probs = logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True)
        return [
            rows[np.arange(len(ids) - 1), ids[1:]]
            for rows, ids in zip(log_probs, targets, strict=True)
        ]

    return compute
