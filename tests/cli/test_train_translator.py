import json
import re
import shutil
from pathlib import Path

import pytest

from tests.support.commands import TINY, changed
from tests.support.tiny_runs import command_of
from tf_models.cli.train_translator import Start, default_settings
from tf_models.translation.evaluate import evaluate_run
from tf_models.translation.settings import preset


def test_what_it_prints_and_leaves(tiny_inputs, as_users_run_it):
    run_dir, out = as_users_run_it(*command_of("translator", tiny_inputs))

    assert re.search(r"first batch: source \(\d+, \d+\), target \(\d+, \d+\)", out)
    assert "epoch 2/2: loss" in out
    assert "exact match" in out
    assert "BLEU" in out
    for name in ("config.json", "history.csv", "tokenizer/source.model", "tokenizer/target.model"):
        assert (run_dir / name).is_file()


@pytest.mark.slow
def test_several_corpora_together(table, tmp_path, call):
    own = tmp_path / "own.tsv"
    own.write_text("".join(f"The dog sees {n}.\tDer Hund sieht {n}.\n" for n in range(99)))
    run_dir, corpora = (
        tmp_path / "run",
        ("--corpus", own, table, "--languages", "en-de", "--preset", "toy"),
    )
    result = call("train_translator", *corpora, "--epochs", 1, *TINY, "--run-dir", run_dir)

    assert result.status == 0, result.err
    assert [*evaluate_run(run_dir)] == ["own", "deu"]


@pytest.mark.slow
def test_a_trained_run_is_fine_tuned(table, tiny_run, tmp_path, call):
    trained = shutil.copytree(tiny_run("translator"), tmp_path / "trained")
    command = ["train_translator", "--start-from", trained, "--corpus", table, "--epochs", 1]
    command += ["--run-dir", tmp_path / "further", "--max-length", 12]
    assert call(*command).status == 0

    config = json.loads((tmp_path / "further" / "config.json").read_text())
    assert config["model"]["dff"] == 32
    assert config["start_from"] == str(trained)
    assert config["optimizer"]["peak"] < preset("toy").optimizer.peak
    shutil.rmtree(trained)
    assert call(*command).status == 0  # it needs that run no more
    other = call(*changed(command, "--languages", "de-en", "--run-dir", tmp_path / "new"))
    assert other.status == 1


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
def test_the_best_preset_averages_and_decodes_with_a_beam(table, tmp_path, call):
    run_dir = tmp_path / "best"
    sizes = changed(TINY, "--batch-size", 0, "--batch-tokens", 200)
    done = call(
        "train_translator",
        *("--corpus", table, "--run-dir", run_dir, "--preset", "best", "--epochs", 4),
        *("--average-last-n", 2, "--patience", 9, *sizes),
    )
    assert done.status == 0, done.err
    assert "val_bleu" in (run_dir / "history.csv").read_text()
    plain = call("translate", "--run-dir", run_dir, "the dog sees the fox")
    beam = call("translate", "--run-dir", run_dir, "--beam-size", 5, "the dog sees the fox")
    assert (plain.status, plain.out) == (0, beam.out)


@pytest.mark.parametrize(
    ("corpus", "name"),
    [
        ("toy", "toy-toy"),
        ("data/deu.txt.gz", "deu-best"),
        ("a/train.en,a/train.de", "train-best"),
        ("tfds:wmt14_translate/de-en", "wmt14_translate-de-en-best"),
        ("toy data/deu.txt", "toy+deu-toy"),
    ],
)
def test_preset_and_default_run_directory_follow_the_corpus(corpus, name):
    start = Start(corpus=corpus.split(" "), max_length=200)
    assert start.chosen_run_dir == Path("runs") / name
    longer = {"max_lengths": (200, 200), "positions": 200}
    assert default_settings(start) == preset(name.rpartition("-")[2]).changed(**longer)
    recurrent = Start(corpus=corpus.split(" "), model="rnn")
    assert recurrent.chosen_run_dir == Path("runs") / f"{name}-rnn"
