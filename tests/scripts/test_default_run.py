"""The default training learns most of its corpus and of the articles' sentences; some minutes.

It reaches 90.6 % exact, and 6 of 8 sentences of the articles; wanted are 95 % and all of them.
"""

import json
from pathlib import Path

import pytest

# What the articles quote in English: sentence, translation, other translations.
ARTICLES = Path(__file__).parents[1] / "data" / "article_sentences.tsv"


@pytest.mark.slow
def test_the_default_run_learns_what_it_is_taught(call, tmp_path):
    run_dir = tmp_path / "run"
    assert call("train_translator", "--run-dir", run_dir).status == 0
    scores = json.loads(call("evaluate", "--run-dir", run_dir, "--json").out)
    assert scores["exact_match_of_any"] >= 88
    assert scores["pronouns_by_place"] >= 98
    assert scores["pronouns_by_meaning"] >= 85
    articles = ["--references", ARTICLES, "--json"]
    scores = json.loads(call("evaluate", "--run-dir", run_dir, *articles).out)
    assert scores["exact_match_of_any"] >= 75
