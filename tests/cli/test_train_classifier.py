import json
import os
import shutil

import pytest

from tests.support.commands import drawn
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


def test_from_a_translator(files, run_dir, call, tmp_path):
    options = ["--encoder-from", run_dir, "--freeze", *HEAD, "--run-dir", tmp_path / "run"]
    result = call("train_classifier", *files, *options)

    assert result.status == 0
    config = json.loads((tmp_path / "run" / "config.json").read_text())
    assert config["encoder_from"] == str(run_dir)
    assert config["training"]["freeze"] is True
    assert config["model"]["d_model"] == 16
