"""Other architectures through the scripts as they are: a recurrent one, and one of thirty lines."""

import json
import re
from dataclasses import dataclass

import pytest
from PIL import Image

from tests.support.commands import drawn, printed_by
from tests.support.tiny_runs import SEARCHED
from tf_models.tasks.translation import architectures
from tf_models.tasks.translation.architectures import Architecture
from tf_models.tasks.translation.settings import ModelSettings
from tf_models.training.settings import setting

SENTENCE = "The dog sees the fox."


@dataclass(frozen=True)
class BagSettings(ModelSettings):
    """A bag of source words and the word before: enough to have everything that is asked of one."""

    features: int = setting(16, "numbers in an embedding", ge=1)


def build_bag(settings, tokenizers, dtype):
    import keras
    import tensorflow as tf

    from tf_models.layers.loss import token_sums

    class Bag(keras.Model):
        def __init__(self):
            super().__init__(dtype=dtype)
            sizes = (tokenizers.source.vocabulary_size, tokenizers.target.vocabulary_size)
            self.read, self.write = (keras.layers.Embedding(n, settings.features) for n in sizes)
            self.final_layer = keras.layers.Dense(sizes[1], dtype="float32")
            self(tf.ones((1, 1), tf.int32), tf.ones((1, 1), tf.int32))

        def call(self, inp, tar):
            return self.logits(self.looks(inp), inp, tar)

        def looks(self, inp):
            real = tf.cast(tf.not_equal(inp, 0), tf.float32)
            return real / tf.reduce_sum(real, axis=-1, keepdims=True)  # (batch, inp_len)

        def logits(self, looks, inp, tar):
            context = tf.einsum("bs,bsf->bf", looks, self.read(inp))[:, tf.newaxis]
            return self.final_layer(context + self.write(tar))  # (batch, len, vocabulary)

    class BagModel:
        network, attention_kinds = Bag(), ("cross",)

        def token_sums(self, inp, tar, *, training, smoothing):
            return token_sums(tar[:, 1:], self.network(inp, tar[:, :-1]), smoothing)

        def encode(self, inp):
            return inp, self.network.looks(inp)

        def initial_state(self, memory, n):
            return tf.zeros((tf.shape(memory[0])[0], n))

        def step(self, suppressed_ids):
            never = tf.reduce_sum(tf.one_hot(suppressed_ids, tokenizers.target.vocabulary_size), 0)
            return lambda ids, memory, state: (
                self.network.logits(memory[1], memory[0], ids) - 1e9 * never,
                state,
            )

        def attention(self, inp, tar):
            weights = self.network.looks(inp)[:, tf.newaxis, tf.newaxis, tf.newaxis]
            return {"cross": tf.repeat(weights, tf.shape(tar)[1], axis=3)}

    return BagModel()


@pytest.fixture(scope="module", autouse=True)
def bag():
    architectures.register("bag", Architecture(BagSettings(), build_bag))
    yield
    del architectures.ARCHITECTURES["bag"]


@pytest.fixture(scope="module")
def bag_run(tiny_inputs, tmp_path_factory):
    """A run directory of a model that the package does not know."""
    run_dir = tmp_path_factory.mktemp("runs") / "bag"
    options = ["--model", "bag", "--features", 8, *SEARCHED]
    corpus = tiny_inputs / "deu.txt"
    printed_by("train_translator", "--corpus", corpus, "--run-dir", run_dir, *options)
    return run_dir


@pytest.fixture(params=["bag", "rnn-attention"])
def run_dir(request):
    if request.param == "bag":
        return request.getfixturevalue("bag_run")
    return request.getfixturevalue("tiny_run")("recurrent")


def test_the_bag_trains_and_draws_what_it_has(bag_run):
    assert "attention-cross" in drawn(bag_run)
    assert "attention-encoder" not in drawn(bag_run)


def test_its_run_says_what_it_is(run_dir):
    config = json.loads((run_dir / "config.json").read_text(encoding="utf-8"))
    sizes = {"bag": {"features": 8}, "rnn-attention": {"units": 8, "d_model": 8}}
    assert config["model"].items() >= sizes[config["architecture"]].items()


def test_it_translates(run_dir, call):
    greedy = call("translate", "--run-dir", run_dir, "--beam-size", 1, SENTENCE)
    beam = call("translate", "--run-dir", run_dir, "--n-best", 2, SENTENCE)

    assert greedy.status == beam.status == 0
    assert len(greedy.out.splitlines()) == 1
    assert len(beam.out.splitlines()) == 2


def test_it_is_evaluated(run_dir, call, tmp_path):
    for name in ("source", "reference"):
        (tmp_path / name).write_text(f"{SENTENCE}\n", encoding="utf-8")
    files = ["--source", tmp_path / "source", "--reference", tmp_path / "reference"]
    result = call("evaluate", "--run-dir", run_dir, *files, "--json")

    assert json.loads(result.out)["sentences"] == 1


def test_it_is_plotted(run_dir, call, tmp_path):
    output = tmp_path / "drawn.png"
    of_run = ["--run-dir", run_dir, "--sentence", SENTENCE, "--output", output]
    statistics = ["plot_figures", "--figure", "statistics", "--kind", "cross"]
    for command in (["plot_attention"], statistics):
        assert call(*command, *of_run).status == 0
        assert Image.open(output).size[0] > 100
    refused = call("plot_attention", *of_run, "--kind", "encoder")
    assert "no encoder attention; it has cross (cross-attention)" in refused.complaint
    refused = call("plot_figures", "--figure", "pipeline", *of_run)
    assert "--figure pipeline needs a Transformer" in refused.complaint


def test_it_is_shown_on_a_page_with_its_alignments(run_dir, call, tmp_path):
    page = tmp_path / "page.html"
    view = ["view_attention", "--run-dir", run_dir, "--sentence", SENTENCE, "--output", page]
    result = call(*view)
    data = json.loads(re.search(r'id="data">(.*?)</script>', page.read_text("utf-8"))[1])

    assert result.status == 0
    assert "only the article's Transformer, as it is, is live" in result.err
    assert [*data["kinds"]] == [*data["sentences"][0]["maps"]] == ["cross"]
    assert "weights" not in data


def test_it_is_exported(run_dir, call, tmp_path):
    export = ["export", "--run-dir", run_dir, "--output", tmp_path / "exported"]
    assert "article's Transformer only" in call(*export, "--format", "ctranslate2").complaint
    assert call(*export, "--format", "saved-model").status == 0


def test_options_of_another_architecture(table, call, tmp_path):
    train = ["train_translator", "--corpus", table, "--run-dir", tmp_path / "run"]
    assert "has no --num-layers" in call(*train, "--model", "bag", "--num-layers", 2).complaint
    assert "has no --num-layers" in call(*train, "--model", "rnn", "--num-layers", 2).complaint
    assert "has no --features" in call(*train, "--features", 2).complaint
    complaint = call(*train, "--model", "lstm").complaint
    assert "must be one of transformer, rnn-attention, rnn, bag, relative, rotary" in complaint
    assert "or module:Class; received 'lstm'" in complaint
    assert not (tmp_path / "run").exists()
