import re

import pytest

from research.benchmarks import cost, cost_systems
from research.benchmarks.systems import installed_systems
from research.benchmarks.tests.same_process import WorkerInThisProcess


@pytest.fixture
def tiny(monkeypatch, in_this_process):
    sizes = {"num_layers": 1, "d_model": 16, "num_heads": 2, "dff": 16, "positions": 64}
    settings = cost_systems.article().changed(pieces=300, **sizes)
    for module in (cost, cost_systems):
        monkeypatch.setattr(module, "article", lambda: settings)
        monkeypatch.setattr(module, "VOCABULARY", 302)
    monkeypatch.setattr(cost_systems, "PAIRS", 200)
    monkeypatch.setattr(cost_systems, "LEAST_SECONDS", 0)
    monkeypatch.setattr(cost, "Worker", WorkerInThisProcess)


def test_every_system_at_every_length_and_batch(tiny, call, tmp_path, monkeypatch):
    monkeypatch.setattr(cost, "COMMON_LENGTH", 5)
    figure = tmp_path / "cost.png"
    options = ["--rounds", 1, "--wait-seconds", 0, "--lengths", 7, 4, "--batches", 2, 1]
    result = call("research.benchmarks.cost", *options, "--output", figure)
    assert result.status == 0

    unit, *panels = result.out.split("\n\n")
    assert unit == cost.UNIT
    for panel in panels:
        title, *lines = [re.split("  +", line) for line in panel.splitlines()]
        task, axis = title[0].split(", ")
        assert title[1:] == (["4", "7"] if axis == "tokens of a sentence" else ["1", "2"])
        installed = installed_systems(cost.systems(task, tmp_path, 1), print)
        systems = {name: list(map(float, costs)) for name, *costs in lines if costs}
        assert [*systems] == [*installed, "roofline"]
        assert all(len(costs) == 2 and min(costs) > 0 for costs in systems.values())
    assert len(panels) == 4
    assert figure.stat().st_size > 1000


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("sentences", [1, 3])
def test_exactly_so_many_tokens_are_written(tiny, sentences, threads, tmp_path):
    assert cost_systems.TfModelsDecoding().prepared(sentences, 6)().shape == (sentences, 1, 6)
    pytest.importorskip("ctranslate2", reason="CTranslate2 is an optional system")
    cost_systems.Machine(1).export(tmp_path / "exported")
    system = cost_systems.CTranslate2Decoding(tmp_path / "exported", threads)
    found = system.prepared(sentences, 6)()
    assert [len(one.hypotheses[0]) for one in found] == [6] * sentences


def test_what_a_search_reads_at_each_step():
    sizes = cost.TransformerSizes(num_layers=2, d_model=4, dff=8, target_vocab_size=10)
    self_attention, cross_attention, feed_forward = 4 * 16, 2 * 16, 2 * 32
    assert sizes.decoder_weights() == 2 * (self_attention + cross_attention + feed_forward) + 40


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--lengths", 10, 501], "--lengths must be 3 to 500; received 10 501"),
        (["--batches", 4, 0], "--batches must be at least 1; received 0"),
        (["--output", "no/such/cost.png"], "no/such"),
    ],
)
def test_bad_options(options, complaint, call):
    assert complaint in call("research.benchmarks.cost", *options).complaint
