"""A recurrent translator through all commands."""

import json

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


def test_it_is_evaluated(run_dir, call, table):
    result = call("evaluate", "--run-dir", run_dir, "--corpus", table, "--json")
    assert json.loads(result.out)["sentences"] == 2


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


def test_there_is_no_page_of_it(run_dir, call, tmp_path):
    view = ["view_attention", "--run-dir", run_dir, "--output", tmp_path / "page.html"]
    assert "needs the article's Transformer" in call(*view).complaint


def test_it_is_exported(run_dir, call, tmp_path):
    export = ["export", "--run-dir", run_dir, "--output", tmp_path / "exported"]
    assert "needs the article's Transformer" in call(*export, "--format", "ctranslate2").complaint
    assert call(*export, "--format", "saved-model").status == 0
