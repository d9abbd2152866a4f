"""Trainings that are killed at random moments end with the weights of uninterrupted ones."""

import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
import tensorflow as tf

from tests.support.language import write_labelled, write_pairs

ROOT = Path(__file__).resolve().parents[1]
KILLS = 3  # of each training
SMALL = [
    *("--num-layers", "1", "--d-model", "16", "--num-heads", "2", "--dff", "32"),
    *("--pieces", "80", "--max-length", "64", "--batch-size", "16"),
]
COMMANDS = {
    "translator": [
        *("train_translator", "--corpus", "deu.txt", "--epochs", "30", "--batch-tokens", "0"),
        *SMALL,
    ],
    "VAE": ["train_vae", "--units", "32", "--latents", "4", "--epochs", "60"],
    "classifier": [
        *("train_classifier", "--train", "labelled.tsv", "--test", "labelled.tsv"),
        *("--epochs", "30", *SMALL),
    ],
}


def start(name: str, folder: Path, run_dir: str) -> subprocess.Popen:
    """Start a training in `folder`."""
    script, *options = COMMANDS[name]
    command = [sys.executable, ROOT / "scripts" / f"{script}.py", *options, "--run-dir", run_dir]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=pipe, encoding="utf-8")


def last_checkpoint(run_dir: Path) -> dict[str, bytes]:
    """The numbers of the last checkpoint, times and the count of checkpoints apart."""
    reader = tf.train.load_checkpoint(str(run_dir / "checkpoints"))
    types = reader.get_variable_to_dtype_map()
    names = [name for name in types if types[name] != tf.string]
    names = [name for name in names if not re.search("seconds|save_counter", name)]
    return {name: reader.get_tensor(name).tobytes() for name in names}


@pytest.mark.processes
@pytest.mark.parametrize("name", COMMANDS)
def test_a_killed_training_ends_with_the_same_weights(name, tmp_path):
    write_pairs(tmp_path / "deu.txt")
    write_labelled(tmp_path / "labelled.tsv")
    moments = random.Random(name)
    for _ in range(KILLS):
        with start(name, tmp_path, "killed") as process:
            next((line for line in process.stdout if line.startswith(("model:", "epoch "))), None)
            time.sleep(moments.expovariate(1.0))
            process.kill()
    for run_dir in ("killed", "whole"):
        with start(name, tmp_path, run_dir) as process:
            output = process.stdout.read()
        assert process.returncode == 0, output
    assert last_checkpoint(tmp_path / "killed") == last_checkpoint(tmp_path / "whole")
