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
    assert [line.split()[-1] for line in (*table[7:9], table[10])] == ["15", "15", "30"]
    assert drawn(run_dir) == {"training", "confusion", "attention"}
    assert {"config.json", "history.csv", "tokenizer", "checkpoints"} <= set(os.listdir(run_dir))


def test_again_nothing_is_left_to_do(files, classifier_run, call):
    """The files lie elsewhere, and are the same."""
    again = call("train_classifier", *files, *TINY_CLASSIFIER, "--run-dir", classifier_run)
    assert again.status == 0
    assert "resuming after epoch 2" in again.out
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
    assert {"it-animal", "it-street"} <= drawn(run_dir)


def test_from_a_translator(files, run_dir, call, tmp_path):
    options = ["--encoder-from", run_dir, "--freeze", *HEAD, "--run-dir", tmp_path / "run"]
    result = call("train_classifier", *files, *options)

    assert result.status == 0
    config = json.loads((tmp_path / "run" / "config.json").read_text())
    assert config["encoder_from"] == str(run_dir)
    assert config["training"]["freeze"] is True
    assert config["model"]["d_model"] == 16


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--labels", "mood"], "--labels must be one of reference, type, voice; received 'mood'"),
        (["--labels", "type", "--train", "x"], "--labels and --train name texts each; pass one"),
        (["--test", __file__], "--test belongs to a file of --train"),
        (["--train", "tfds:x", "--test", __file__], "--test belongs to a file of --train"),
        (["--max-texts", 1], "--max-texts must be at least 2; received 1"),
        (["--train", "nowhere.tsv"], "cannot read nowhere.tsv: No such file or directory"),
        (["--train", __file__], "line 1: expected label<TAB>text"),
        (["--freeze"], "--freeze leaves an encoder as it is: pass --encoder-from, too"),
        (["--encoder-from", "nowhere"], "no run directory at nowhere"),
        (["--encoder-from", "ready-made", "--dff", 8], "of ready-made has dff=512; received 8"),
        (["--dropout", 1], "dropout must be at least 0 and below 1; received 1.0"),
        (["--seed", -1], "the seed must be 0 to 4294967295; received -1"),
        (["--pooling", "last"], "pooling must be one of mean, first; received last"),
    ],
)
def test_bad_options(options, complaint, call, tmp_path):
    result = call("train_classifier", *options, "--run-dir", tmp_path / "run")
    assert result.status == 2
    assert complaint in result.complaint
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"a\tx\n" * 3 + b"b\ty\n", "too few sentences to split"),
        (b"a\tx\na\ty\n", "has one class only, 'a'"),
        (b"\x00\x01\x02\n", "NUL byte"),
        (b"a\tx\nb\n", "line 2: expected label<TAB>text"),
    ],
)
def test_bad_files(content, complaint, call, tmp_path):
    bad = tmp_path / "bad.tsv"
    bad.write_bytes(content)
    result = call("train_classifier", "--train", bad, "--run-dir", tmp_path / "run")
    assert complaint in result.complaint
    assert not (tmp_path / "run").exists()


def test_labels_that_training_has_not(files, call, tmp_path):
    Path(files[3]).write_text("sideways\tThe dog sees the fox.\n", encoding="utf-8")
    result = call("train_classifier", *files, *TINY_CLASSIFIER, "--run-dir", tmp_path / "r")
    assert "a label 'sideways', which no training text of" in result.complaint


def test_runs_of_other_tasks(classifier_run, autoencoder_run, run_dir, files, call):
    for other, kind in ((autoencoder_run, "autoencoder"), (run_dir, "translator")):
        before = (other / "config.json").read_bytes()
        result = call("train_classifier", *files, *TINY_CLASSIFIER, "--run-dir", other)
        assert f"holds a run of kind {kind}, not classifier" in result.complaint
        assert (other / "config.json").read_bytes() == before
    taken = call("train_classifier", *files, "--encoder-from", autoencoder_run)
    assert "holds a run of kind autoencoder, not translator" in taken.complaint
    refused = call("translate", "--run-dir", classifier_run, "a")
    assert "kind classifier" in refused.complaint
