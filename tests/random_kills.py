"""Kill trainings with SIGKILL at random moments, resume them, and compare their weights.

    python -m tests.random_kills --kills 20

A training is killed and started again until its kills are spent, and then trains to its end. Its
last checkpoint must be that of an uninterrupted training, to the bit.
"""

import argparse
import itertools
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.support.language import write_labelled, write_pairs

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

ROOT = Path(__file__).resolve().parents[1]
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


def start(name: str, run_dir: str, folder: Path) -> subprocess.Popen:
    """Start a training in `folder`."""
    script, *options = COMMANDS[name]
    command = [sys.executable, ROOT / "scripts" / f"{script}.py", *options, "--run-dir", run_dir]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=pipe, encoding="utf-8")


def killed(process: subprocess.Popen, seconds: float) -> bool:
    """Kill a process so long after its training begins; False if it was at its end before."""
    for line in process.stdout:
        if line.startswith(("model:", "epoch ")):
            break
    time.sleep(seconds)
    process.kill()
    status = process.wait()
    assert status in (0, -signal.SIGKILL), status
    return status != 0


def train_to_the_end(process: subprocess.Popen) -> None:
    output, _ = process.communicate()
    assert process.returncode == 0, output


def last_checkpoint(run_dir: Path) -> dict[str, bytes]:
    """The numbers of the last checkpoint, times and the count of checkpoints apart."""
    import tensorflow as tf

    reader = tf.train.load_checkpoint(str(run_dir / "checkpoints"))
    types = reader.get_variable_to_dtype_map()
    names = [name for name in types if types[name] != tf.string]
    names = [name for name in names if not re.search("seconds|save_counter", name)]
    return {name: reader.get_tensor(name).tobytes() for name in names}


def kill_and_compare(name: str, kills: int, moments: random.Random, folder: Path) -> int:
    """Compare a killed training with an uninterrupted one; return how often it was killed."""
    write_pairs(folder / "deu.txt")
    write_labelled(folder / "labelled.tsv")
    count = 0
    while count < kills and killed(start(name, "killed", folder), moments.expovariate(1.0)):
        count += 1
    for run_dir in ("killed", "whole"):
        train_to_the_end(start(name, run_dir, folder))
    ours, theirs = last_checkpoint(folder / "killed"), last_checkpoint(folder / "whole")
    assert ours == theirs, (
        f"{name}: other values in {[n for n in theirs if ours.get(n) != theirs[n]]}"
    )
    return count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=20, help="of all commands together")
    parser.add_argument("--each", type=int, default=4, help="kills of one training")
    parser.add_argument("--seed", type=int, default=0, help="of the moments")
    arguments = parser.parse_args()
    moments, count = random.Random(arguments.seed), 0
    for name in itertools.cycle(COMMANDS):
        if count >= arguments.kills:
            break
        with tempfile.TemporaryDirectory() as folder:
            count += kill_and_compare(name, arguments.each, moments, Path(folder))
        print(f"{count} kills: {name}: the same weights", flush=True)


if __name__ == "__main__":
    main()
