"""Runs that are missing, unfinished and finished, with trainings that are a few lines of Python."""

import shutil

import pytest

from research.experiments import repeat
from tests.support.commands import status_of

EXPERIMENTS = "research.experiments.__main__"
# Stands for a training script: three epochs, whose losses depend on the seed.
TRAIN = """
import argparse
from pathlib import Path

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int)
parser.add_argument("--run-dir", type=Path)
parser.add_argument("--loss", type=float, default=3)
arguments = parser.parse_args()
arguments.run_dir.mkdir(parents=True)
losses = [9, arguments.loss, arguments.loss + 1]
rows = [f"{i},{loss},{loss + arguments.seed}" for i, loss in enumerate(losses, start=1)]
text = "\\n".join(["epoch,loss,val_loss", *rows, ""])
(arguments.run_dir / "history.csv").write_text(text)
"""


@pytest.fixture(autouse=True)
def script(tmp_path, monkeypatch):
    path = tmp_path / "train_vae.py"
    path.write_text(TRAIN)
    monkeypatch.setattr(repeat, "training_scripts", lambda: {path.name: path})
    return path


@pytest.fixture
def repeated(call, tmp_path):
    """repeated("--seeds", "0,2", "train_vae"): the recipe, its runs in a folder "runs"."""
    return lambda *words: call(EXPERIMENTS, "repeat", "--run-dir", tmp_path / "runs", *words)


def test_mean_and_range(repeated, tmp_path):
    figure = tmp_path / "seeds.png"
    result = repeated("--seeds", "0,2", "--output", figure, "scripts/train_vae.py", "--loss", 4)

    assert result.status == 0
    lines = [line for line in result.out.splitlines() if line]
    assert lines[:2] == [
        f"seed, seed 0 (1 of 2): {tmp_path}/runs/seed-0",
        f"seed, seed 2 (2 of 2): {tmp_path}/runs/seed-2",
    ]
    assert [line.split() for line in lines[3:5]] == [["val_loss"], ["runs", "5", "[4,", "6]"]]
    assert lines[-2:] == [f"{tmp_path}/runs/figures/repeat.png", str(figure)]
    assert figure.read_bytes().startswith(b"\x89PNG")


def test_finished_runs_are_only_measured(repeated):
    """The script would refuse a run directory that is there."""
    assert repeated("--seeds", "1", "train_vae").status == 0
    result = repeated("--seeds", "1,3", "train_vae")

    assert result.status == 0
    assert "seed-1: finished before" in result.out
    assert "5 [4, 6]" in result.out
    assert repeated("--seeds", "1", "train_vae", "--loss", 4).status == 1  # other options


def test_a_run_that_was_removed_is_not_finished(repeated, tmp_path):
    repeated("--seeds", "1,2", "train_vae")
    shutil.rmtree(tmp_path / "runs" / "seed-1")
    result = repeated("--seeds", "1,2", "train_vae")
    assert "seed-1: finished before" not in result.out
    assert "seed-2: finished before" in result.out


def test_two_at_a_time_write_logs(repeated, tmp_path, script):
    script.write_text(TRAIN + "print('trained', arguments.seed)\n")
    result = repeated("--seeds", "0,2,1", "--jobs", 2, "train_vae")

    assert result.status == 0
    assert "trained" not in result.out
    logs = {path.name: path.read_text() for path in (tmp_path / "runs" / "logs").iterdir()}
    assert logs == {f"seed-{seed}.log": f"trained {seed}\n" for seed in (0, 1, 2)}


def test_ctrl_c_when_a_training_has_ended_leaves_the_others(repeated, tmp_path, script):
    """The training signals its parent as its last act."""
    signals = "\nimport os, signal, time\nos.kill(os.getppid(), signal.SIGINT)\ntime.sleep(0.2)"
    script.write_text(TRAIN + signals)
    result = repeated("--seeds", "1,2", "train_vae")

    assert result.status == 130
    assert result.out.splitlines()[-1] == "the same command goes on with what is left"
    assert [path.name for path in (tmp_path / "runs" / "finished").iterdir()] == ["seed-1.json"]


def test_a_failed_training_ends_it(repeated, tmp_path):
    result = repeated("--seeds", "0,1", "train_vae", "--loss", "much")
    assert result.status == 2
    assert "--loss: invalid float value: 'much'" in result.err
    assert "seed-1" not in result.out
    logged = repeated("--seeds", "0,1", "--jobs", 2, "train_vae", "--loss", "much")
    assert "--loss: invalid float value: 'much'" in logged.err


def test_a_training_that_is_killed(repeated, script):
    script.write_text("import os\nos.kill(os.getpid(), 9)")
    result = repeated("--seeds", "1", "train_vae")
    assert "signal 9 ended seed-1; the same command goes on" in result.err


def test_settings_beside_a_baseline(call, tmp_path):
    for name, loss, options in (("one", 3, []), ("two", 5, ["--baseline", tmp_path / "one"])):
        where = ["--run-dir", tmp_path / name, *options]
        result = call(EXPERIMENTS, "repeat", *where, "train_vae", "--loss", loss)
        assert result.status == 0
    rows = [line.split() for line in result.out.splitlines()]
    assert ["two", "5"] in rows
    assert ["one", "3"] in rows


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["train_vae", "--seed", "3"], "--seed is set for each run; name --seeds"),
        (["train_vae", "--run-dir=x"], "--run-dir=x is set for each run"),
        (["--seeds", "1,1", "train_vae"], "--seeds must be different numbers; received 1,1"),
        (["--seeds", ",", "train_vae"], "--seeds must be different numbers; received none"),
        (["--seeds=-1", "train_vae"], "the seed must be 0 to"),
        (["--jobs", "0", "train_vae"], "--jobs must be at least 1; received 0"),
        (["--metric", "loss", "train_vae"], "invalid choice: 'loss'"),
        (["translate"], "the script must be one of train_vae.py; received 'translate'"),
        (["--baseline", "nowhere", "train_vae"], "no seed was trained in nowhere"),
        (["--output", "figure.jpg", "train_vae"], "saved as .png, .pdf or .svg"),
    ],
)
def test_bad_input(arguments, complaint, repeated, tmp_path):
    result = repeated(*arguments)
    assert complaint in result.complaint
    assert result.out == ""
    assert not (tmp_path / "runs").exists()


def test_a_run_is_no_folder_of_runs(repeated, tmp_path):
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "config.json").write_text("{}")
    assert "holds a run itself" in repeated("train_vae").complaint


def test_there_is_no_such_training(tmp_path):
    words = ["claims", "--run-dir", tmp_path, "--only-run", "3 heads", 0]
    assert status_of(EXPERIMENTS, *words) == 2
