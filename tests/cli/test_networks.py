"""Transformers of one's own and the package's variants, through the commands."""

import json
import re
import sys

import pytest
from PIL import Image

from tests.support.commands import TINY

SENTENCE = "The dog sees the fox."
UNSCALED = """\
from tf_models.transformer.attention import MultiHeadAttention
from tf_models.transformer.model import Transformer

class Unscaled(MultiHeadAttention):
    def dot_product_attention(self, q, k, v, mask):
        return super().dot_product_attention(q * self.depth**0.5, k, v, mask)

class MyTransformer(Transformer):
    def __init__(self, **sizes):
        super().__init__(**sizes, attention=Unscaled)
"""
OTHERS = """
class Greedy(MyTransformer):
    def __init__(self, greed, **sizes):
        super().__init__(**sizes)

Nothing = 1
"""


@pytest.fixture
def own_module(tmp_path, monkeypatch):
    """A current folder with a module of one's own."""
    (tmp_path / "my_module.py").write_text(UNSCALED + OTHERS, encoding="utf-8")
    (tmp_path / "broken.py").write_text("import no_such_package\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    for name in ("my_module", "broken"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


@pytest.mark.slow
def test_a_class_of_ones_own_goes_through_all_commands(own_module, table, call, monkeypatch):
    run_dir, network = own_module / "run", "my_module:MyTransformer"
    train = ["train_translator", "--corpus", table, "--run-dir", run_dir, *TINY]
    train += ["--preset", "toy", "--schedule", "inverse_sqrt"]  # of any number of epochs
    own = [*train, "--network", network]
    assert call(*own, "--epochs", 1).status == 0
    assert json.loads((run_dir / "config.json").read_text("utf-8"))["architecture"] == network
    resumed = call(*own, "--epochs", 2)
    assert "resuming after epoch 1" in resumed.out
    refused = call(*train, "--epochs", 3).complaint
    assert f"architecture was {network!r} and is 'transformer' now" in refused

    of_run = ["--run-dir", run_dir]
    assert call("translate", *of_run, "--beam-size", 2, SENTENCE).status == 0
    assert call("evaluate", *of_run, "--corpus", table, "--json").status == 0
    plot = ["plot_attention", *of_run, "--sentence", SENTENCE, "--output", own_module / "map.png"]
    assert call(*plot).status == 0
    assert Image.open(own_module / "map.png").size[0] > 100
    for options in (["--value-norms"], ["--kind", "cross", "--value-norms"]):
        assert "another, MyTransformer" in call(*plot, *options).complaint
    view = ["view_attention", *of_run, "--sentence", SENTENCE, "--output", own_module / "page.html"]
    assert "another, MyTransformer" in call(*view).complaint
    export = ["export", *of_run, "--output", own_module / "exported", "--format"]
    assert "another, MyTransformer" in call(*export, "ctranslate2").complaint

    (own_module / "my_module.py").unlink()
    monkeypatch.delitem(sys.modules, "my_module")
    complaint = call("translate", *of_run, SENTENCE).complaint
    assert f"network {network} cannot be imported: No module named 'my_module'" in complaint


@pytest.mark.parametrize(
    ("network", "complaint"),
    [
        ("broken:Network", "cannot be imported: No module named 'no_such_package'"),
        ("my_module:Network", "'Network' of .*my_module.py is no subclass of .*model.Transformer"),
        ("my_module:Nothing", "'Nothing' of .* is no subclass"),
        ("my_module:Greedy", "must take what Transformer takes: missing a required .*'greed'"),
    ],
)
def test_what_is_no_network(own_module, table, call, network, complaint):
    run_dir = own_module / "run"
    result = call("train_translator", "--corpus", table, "--run-dir", run_dir, "--network", network)
    assert re.search(complaint, result.complaint), result.complaint
    assert not list(run_dir.rglob("ckpt*"))
