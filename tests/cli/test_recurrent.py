"""A recurrent translator through all commands."""

import pytest
from PIL import Image

SENTENCE = "The dog sees the fox."


@pytest.fixture
def run_dir(tiny_run):
    return tiny_run("recurrent")


def test_it_translates(run_dir, call):
    greedy = call("translate", "--run-dir", run_dir, "--beam-size", 1, SENTENCE)
    beam = call("translate", "--run-dir", run_dir, "--n-best", 2, SENTENCE)

    assert greedy.status == beam.status == 0
    assert len(greedy.out.splitlines()) == 1
    assert len(beam.out.splitlines()) == 2


def test_it_is_plotted(run_dir, call, tmp_path):
    output = tmp_path / "drawn.png"
    of_run = ["--run-dir", run_dir, "--sentence", SENTENCE, "--output", output]
    statistics = ["plot_figures", "--figure", "statistics", "--kind", "cross"]
    for command in (["plot_attention"], statistics):
        assert call(*command, *of_run).status == 0
        assert Image.open(output).size[0] > 100
    assert "no encoder attention" in call("plot_attention", *of_run, "--kind", "encoder").complaint
    refused = call("plot_figures", "--figure", "pipeline", *of_run)
    assert "needs the article's Transformer" in refused.complaint
