import json
import os
import re
import shutil
from pathlib import Path

import pytest

from tests.support.commands import TINY, changed
from tests.support.tiny_runs import command_of
from tf_models.commands.train_translator import default_run_dir
from tf_models.tasks.translation.presets import FINE_TUNING


def test_what_it_prints_and_leaves(tiny_inputs, as_users_run_it):
    run_dir, out = as_users_run_it(*command_of("translator", tiny_inputs))

    assert re.search(r"first batch: source \(\d+, \d+\), target \(\d+, \d+\)", out)
    assert "epoch 2/2: loss" in out
    assert "exact match" in out
    assert "BLEU" in out
    assert out.count("  reference    ") == 2  # all there are
    assert out.count("  translation  ") == 2 + 1  # and a short sentence of the articles
    for name in (
        "training",
        "lengths",
        "attention-encoder",
        "attention-decoder",
        "attention-cross",
    ):
        assert (run_dir / "figures" / f"{name}.png").stat().st_size > 5000
        assert f"{name}.png" in out
    for name in ("config.json", "history.csv", "tokenizer/source.model", "tokenizer/target.model"):
        assert (run_dir / name).is_file()


@pytest.mark.slow
@pytest.mark.usefixtures("without_figures")
def test_several_corpora_together(table, tmp_path, call):
    own = tmp_path / "own.tsv"  # its languages are those of the other
    own.write_text("".join(f"The dog sees {n}.\tDer Hund sieht {n}.\n" for n in range(99)))
    run_dir, corpora = tmp_path / "run", ("--corpus", own, table, "--preset", "toy")
    result = call("train_translator", *corpora, "--epochs", 1, *TINY, "--run-dir", run_dir)

    assert result.status == 0, result.err
    assert "\n  val_loss_own " in result.out
    assert "\nown: 1 sentences, BLEU " in result.out
    assert "\ndeu: 2 sentences, BLEU " in result.out
    assert result.out.count("  reference    ") == 3
    header, row = (run_dir / "history.csv").read_text().splitlines()
    assert "val_loss,val_accuracy,val_loss_own,val_accuracy_own,val_loss_deu," in header
    data = json.loads((run_dir / "config.json").read_text())["data"]
    assert data["corpus"] == [str(own), str(table)]
    scores = json.loads(call("evaluate", "--run-dir", run_dir, "--json").out)
    assert [*scores] == ["own", "deu"]


def number_of_rows(path):
    return len(path.read_text().splitlines()) - 1 if path.exists() else 0


@pytest.mark.slow
@pytest.mark.usefixtures("without_figures")
def test_the_same_command_again_trains_no_further(tiny_inputs, run_dir, call, tmp_path):
    own = shutil.copytree(run_dir, tmp_path / "run")  # it is written to
    result = call(*command_of("translator", tiny_inputs), "--run-dir", own)

    assert result.status == 0
    assert "going on after epoch 2" in result.out
    assert "epoch 1/2" not in result.out


def test_other_settings_are_refused(tiny_inputs, run_dir, call):
    usual = [*command_of("translator", tiny_inputs), "--run-dir", run_dir]
    result = call(*changed(usual, "--dff", 64))

    assert "model.dff was 32 and is 64 now" in result.complaint


def test_a_folder_of_other_files_is_refused_before_the_corpus_is_read(tmp_path, call):
    (tmp_path / "thesis.tex").touch()
    result = call("train_translator", "--corpus", "none.txt", "--run-dir", tmp_path, *TINY)

    assert "is no run directory; choose another" in result.complaint


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--preset", "huge"], "preset must be one of toy, article, best; received 'huge'"),
        (["--d-model", "130"], "received d_model=130, num_heads=4"),
        (["--epochs", "0"], "epochs must be at least 1; received 0"),
        (["--epochs", "many"], "invalid int value: 'many'"),
        (["--corpus", "missing.txt"], "missing.txt"),
        (["--corpus", "toy", "missing.txt"], "missing.txt"),
        (["--max-pairs", "0"], "must be at least 1; received 0"),
        (["--corpus", "toy", "--languages", "en-fr"], "fr"),
        (["--batch-size", "8", "--batch-tokens", "99"], "exclude each other"),
        (["--minutes", "5", "--epochs", "3"], "--minutes and --epochs exclude each other"),
    ],
)
def test_options_that_make_no_sense(call, tmp_path, arguments, message):
    result = call("train_translator", "--run-dir", tmp_path / "run", *arguments)

    assert message in result.complaint
    assert result.status == 2
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("without_figures")
def test_a_trained_run_is_trained_further(table, tiny_run, tmp_path, call):
    trained = tmp_path / "trained"
    shutil.copytree(tiny_run("translator"), trained)
    own = tmp_path / "own.tsv"  # its languages are those of the run
    own.write_text("".join(f"The dog sees {n}.\tDer Hund sieht {n}.\n" for n in range(60)))
    command = ("train_translator", "--start-from", trained, "--corpus", own, "--epochs", 1)
    result = call(*command, "--run-dir", tmp_path / "further")

    assert result.status == 0, result.err
    config = json.loads((tmp_path / "further" / "config.json").read_text())
    assert config["model"]["dff"] == 32
    assert config["start_from"]["run"] == str(trained)
    assert config["optimizer"]["peak"] == FINE_TUNING["peak"]
    shutil.rmtree(trained)
    assert "going on after epoch 1" in call(*command, "--run-dir", tmp_path / "further").out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--num-layers", 3], "has num_layers=1; received 3: what starts from it has its model"),
        (["--pieces", 90], "has pieces=200; received 90"),
        (["--tokenizer", "separate"], "tied embeddings need one tokenizer for both languages"),
        (["--model", "rnn"], "has model=transformer; received rnn"),
        (["--units", 7], "--model transformer has no --units"),
        (["--preset", "best"], "--start-from has no --preset"),
        (["--pretrained-vectors"], "--start-from has no --pretrained-vectors"),
        (["--languages", "de-en"], "translates from en to de, and the corpus goes from de to en"),
        (["--corpus", "empty.txt"], "empty.txt"),
        (["--start-from", "missing"], "no run directory at missing (it has no config.json)"),
        (["--start-from", "{classifier}"], "holds a run of kind classifier, not translator"),
        (["--start-from", "{weightless}"], "no best checkpoint in"),
    ],
)
def test_what_cannot_be_started_from(options, message, table, tiny_run, tmp_path, call):
    shutil.copytree(tiny_run("translator"), tmp_path / "weightless")
    shutil.rmtree(tmp_path / "weightless" / "checkpoints")
    places = {"{classifier}": tiny_run("classifier"), "{weightless}": tmp_path / "weightless"}
    options = [places.get(option, option) for option in options]
    usual = ["--start-from", tiny_run("translator"), "--corpus", table]
    result = call("train_translator", *changed(usual, *options), "--run-dir", tmp_path / "new")

    assert message in result.complaint
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "has no train sentence pairs"),
        (b"one column\n", "line 1"),
        (b"A dog.\tEin Hund.\nA c\xe4t.\tEine Katze.\n", "line 2"),
        (b"A dog.\tEin\0Hund.\n", "line 1"),
    ],
)
def test_corpora_that_cannot_be_used(call, tmp_path, content, message):
    (tmp_path / "deu.txt").write_bytes(content)
    result = call("train_translator", "--corpus", tmp_path / "deu.txt", "--run-dir", tmp_path / "r")

    assert message in result.complaint
    assert "deu.txt" in result.complaint
    assert not (tmp_path / "r").exists()


@pytest.mark.processes
@pytest.mark.usefixtures("without_figures")
def test_a_full_disk_is_one_line_and_the_last_checkpoint_stays(table, tmp_path, spawn, call):
    """A limit on file sizes stands in for the full disk: the next checkpoint does not fit."""
    import resource

    arguments = ["--corpus", table, "--run-dir", tmp_path / "run", "--epochs", 1]
    arguments += ["--preset", "toy"]
    arguments += changed(TINY, "--d-model", "64")
    limit = 400_000  # bytes: enough for the tokenizers

    def small_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    result = spawn("train_translator", *arguments, preexec_fn=small_files)
    assert "cannot save a checkpoint" in result.complaint
    assert not list((tmp_path / "run").rglob("*.tmp*"))

    assert call("train_translator", *arguments).status == 0


@pytest.mark.skipif(getattr(os, "geteuid", int)() == 0, reason="root may write anywhere")
def test_a_folder_without_rights(table, tmp_path, call):
    (tmp_path / "locked").mkdir(mode=0o500)
    result = call("train_translator", "--corpus", table, "--run-dir", tmp_path / "locked" / "run")

    assert "cannot make run directory" in result.complaint


@pytest.mark.parametrize(
    ("corpus", "name"),
    [
        ("toy", "toy-toy"),
        ("data/deu.txt.gz", "deu-toy"),
        ("a/train.en,a/train.de", "train-toy"),
        ("tfds:wmt14_translate/de-en", "wmt14_translate-de-en-toy"),
        ("data/multi30k/", "multi30k-toy"),
        ("toy data/deu.txt", "toy+deu-toy"),
    ],
)
def test_default_run_directories_name_their_corpus(corpus, name):
    assert default_run_dir(corpus.split(" "), "toy") == Path("runs") / name
    assert default_run_dir(corpus.split(" "), "toy", "rnn") == Path("runs") / f"{name}-rnn"


@pytest.mark.slow
@pytest.mark.usefixtures("compiled", "without_figures")
def test_the_best_preset_decodes_the_average_with_a_beam(table, tmp_path, call):
    run_dir = tmp_path / "best"
    sizes = [text if text != "--batch-size" else "--batch-tokens" for text in TINY]
    sizes[sizes.index("--batch-tokens") + 1] = 200
    done = call(
        "train_translator",
        *("--corpus", table, "--run-dir", run_dir, "--preset", "best", "--epochs", 4),
        *("--average-last-n", 2, "--patience", 9, *sizes),
    )
    assert done.status == 0, done.err
    assert "val_bleu" in (run_dir / "history.csv").read_text()
    assert "checkpoint average, beam 5:" in done.out

    plain = call("translate", "--run-dir", run_dir, "the dog sees the fox")
    told = "--checkpoint=average", "--beam-size=5", "--length-penalty=0.6"
    assert plain.out == call("translate", "--run-dir", run_dir, *told, "the dog sees the fox").out

    greedy = call(
        "train_translator",
        *("--corpus", table, "--run-dir", run_dir, "--preset", "best", "--epochs", 4),
        *("--average-last-n", 2, "--patience", 9, "--beam-size", 1, *sizes),
    )
    assert "checkpoint average, beam 1:" in greedy.out


@pytest.mark.slow
@pytest.mark.usefixtures("without_figures")
def test_training_for_a_time(table, tmp_path, call):
    out = call(
        "train_translator",
        *("--corpus", table, "--run-dir", tmp_path / "short", "--minutes", 0.0001),
        *("--preset", "toy", *TINY),
    ).out

    assert "the time is over, after " in out
    assert number_of_rows(tmp_path / "short" / "history.csv") == 1
