import json
import os
import shutil
from pathlib import Path

import pytest

from tests.support.commands import TINY_CLASSIFIER, changed, drawn
from tests.support.tiny_runs import command_of

HEAD = ["--max-length", 16, "--batch-size", 16, "--epochs", 1]


@pytest.fixture
def files(tiny_inputs, tmp_path):
    paths = [shutil.copy(tiny_inputs / name, tmp_path) for name in ("train.tsv", "test.tsv")]
    return ["--train", paths[0], "--test", paths[1]]


def test_what_it_prints_and_leaves(tiny_inputs, as_users_run_it):
    run_dir, printed = as_users_run_it(*command_of("classifier", tiny_inputs))

    assert "2 classes" not in printed
    assert "81 training, 9 validation and 30 test texts; falling, rising" in printed
    lines = printed.splitlines()
    table = lines[lines.index("30 test texts:") + 1 :]
    assert [line[:22].strip() for line in table[:4]] == [
        *("accuracy", "classifier", "most frequent class", "bag of words")
    ]
    assert float(table[2].split()[-1].strip("%")) == 50
    assert table[5].split() == ["precision", "recall", "f1-score", "support"]
    assert drawn(run_dir) == {"training", "confusion", "attention"}
    assert {"config.json", "history.csv", "tokenizer", "checkpoints"} <= set(os.listdir(run_dir))


def test_again_nothing_is_left_to_do(tiny_inputs, classifier_run, call):
    again = call(*command_of("classifier", tiny_inputs), "--run-dir", classifier_run)
    assert again.status == 0
    assert "epoch 2/2" not in again.out


@pytest.mark.slow
def test_the_embedded_sentences(call, tmp_path):
    run_dir = tmp_path / "run"
    larger = changed(TINY_CLASSIFIER, "--pieces", 200, "--max-length", 40)
    options = ["--max-texts", 100, *larger]
    result = call("train_classifier", *options, "--run-dir", run_dir)

    assert result.status == 0
    assert "2,000 test texts" in result.out
    header = next(line for line in result.out.splitlines() if line.startswith("accuracy"))
    assert header.split("   ")[-2:] == ["pronoun by meaning", "pronoun by place"]
    assert "attention" in drawn(run_dir)


def test_from_a_translator(files, run_dir, call, tmp_path):
    options = ["--encoder-from", run_dir, "--freeze", *HEAD, "--run-dir", tmp_path / "run"]
    result = call("train_classifier", *files, *options)

    assert result.status == 0
    config = json.loads((tmp_path / "run" / "config.json").read_text())
    assert config["encoder_from"] == str(run_dir)
    assert config["training"]["freeze"] is True
    assert config["model"]["d_model"] == 16


def test_labels_that_training_has_not(files, call, tmp_path):
    Path(files[3]).write_text("sideways\tThe dog sees the fox.\n", encoding="utf-8")
    result = call("train_classifier", *files, *TINY_CLASSIFIER, "--run-dir", tmp_path / "r")
    assert "test texts with the label 'sideways'" in result.complaint
