import json

import pytest

from scripts import repeat

# Stands for a training script: nine epochs, whose losses depend on the seed, and end in a jump.
TRAIN = """
import argparse
from pathlib import Path

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int)
parser.add_argument("--run-dir", type=Path)
parser.add_argument("--loss", type=float, default=3)
arguments = parser.parse_args()
arguments.run_dir.mkdir(parents=True)
losses = [9, arguments.loss, *[arguments.loss + 1] * 6, 70]
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


def test_mean_and_range(call, tmp_path):
    figure = tmp_path / "seeds.png"
    options = ["--run-dir", tmp_path / "runs", "--seeds", "0,2", "--output", figure]
    result = call("repeat", *options, "scripts/train_vae.py", "--loss", 4)

    assert result.status == 0
    one, two, _, header, row, *jumps, drawn = result.out.splitlines()
    assert one == f"seed 0 (1 of 2), {tmp_path}/runs/seed-0:"
    assert two == f"seed 2 (2 of 2), {tmp_path}/runs/seed-2:"
    assert header.split() == ["best", "epoch", "metric", "mean", "lowest", "highest", "seeds"]
    assert row.split() == ["runs", "val_loss", "5", "4", "6", "0:", "4", "2:", "6"]
    assert jumps == [f"runs, seed {s}: the training loss jumped in epoch 9" for s in (0, 2)]
    assert drawn == str(figure)
    assert figure.read_bytes().startswith(b"\x89PNG")


def test_finished_seeds_are_not_trained_again(call, tmp_path):
    """The script would refuse a run directory that is there."""
    command = ["--run-dir", tmp_path / "runs", "train_vae"]
    assert call("repeat", "--seeds", "1", *command).status == 0
    result = call("repeat", "--seeds", "1,3", *command)

    assert result.status == 0
    assert "seed-1: finished before" in result.out
    assert "1: 4 3: 6" in result.out


def test_two_trainings_at_a_time(call, tmp_path):
    options = ["--run-dir", tmp_path / "runs", "--seeds", "0,2,1", "--jobs", 2]
    result = call("repeat", *options, "train_vae", "--loss", 4)

    assert result.status == 0
    assert sorted(result.out.splitlines()[:3]) == [
        f"seed {seed} ({place} of 3), {tmp_path}/runs/seed-{seed}:"
        for place, seed in ((1, 0), (3, 1), (2, 2))
    ]
    assert "0: 4 2: 6 1: 5" in result.out


def test_ctrl_c_when_a_training_has_ended_leaves_the_others(call, tmp_path, script):
    """The training signals its parent as its last act."""
    signals = "\nimport os, signal, time\nos.kill(os.getppid(), signal.SIGINT)\ntime.sleep(0.2)"
    script.write_text(TRAIN + signals)
    result = call("repeat", "--run-dir", tmp_path / "runs", "--seeds", "1,2", "train_vae")

    assert result.status == 130
    assert result.out.splitlines()[1:] == ["the same command goes on with what is left"]


def test_settings_side_by_side(call, tmp_path):
    command = ["train_vae", "--loss"]
    one = ["--seeds", "0", "--run-dir", tmp_path / "one"]
    assert call("repeat", *one, *command, 3).status == 0
    two = ["--seeds", "0", "--run-dir", tmp_path / "two", "--beside", tmp_path / "one"]
    result = call("repeat", *two, *command, 5)

    rows = [line.split()[:3] for line in result.out.splitlines()[3:5]]
    assert rows == [["two", "val_loss", "5"], ["one", "val_loss", "3"]]


def test_a_failed_training_ends_it(call, tmp_path):
    result = call("repeat", "--run-dir", tmp_path / "runs", "train_vae", "--loss", "much")

    assert result.status == 2
    assert "--loss: invalid float value: 'much'" in result.err
    assert "seed 1" not in result.out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["train_vae", "--seed", "3"], "--seed is set for each run; name --seeds"),
        (["train_vae", "--run-dir=x"], "--run-dir=x is set for each run"),
        (["--seeds", "1,1", "train_vae"], "--seeds must be different numbers; received 1,1"),
        (["--seeds", ",", "train_vae"], "--seeds must be different numbers; received none"),
        (["--seeds=-1", "train_vae"], "the seed must be 0 to"),
        (["--jobs", "0", "train_vae"], "--jobs must be at least 1; received 0"),
        (["--metric", "loss", "train_vae"], "--metric must be one of val_bleu,"),
        (["translate"], "the script must be one of train_vae.py; received 'translate'"),
        (["--beside", "nowhere", "train_vae"], "no finished seed in nowhere"),
        (["--output", "figure.jpg", "train_vae"], "saved as .png, .pdf or .svg"),
    ],
)
def test_bad_input(arguments, complaint, call, tmp_path):
    result = call("repeat", "--run-dir", tmp_path / "runs", *arguments)

    assert complaint in result.complaint
    assert result.out == ""
    assert not (tmp_path / "runs").exists()


def test_a_run_is_no_folder_of_runs(call, tmp_path):
    (tmp_path / "config.json").write_text(json.dumps({}))
    complaint = call("repeat", "--run-dir", tmp_path, "train_vae").complaint
    assert "holds a run itself" in complaint
