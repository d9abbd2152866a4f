"""Kill trainings at random moments, start them again, and compare their ends with undisturbed ones.

    python -m tests.random_kills --kills 200

Each command is killed with SIGKILL and started again until all its kills are spent, and then trains
to its last epoch. Weights, optimizer, random generators and the curve must be the same to the bit.
"""

import argparse
import csv
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.support.language import write_labelled, write_pairs

ROOT = Path(__file__).resolve().parents[1]
TEXT = [
    *("--pieces", "80", "--batch-size", "16"),
    *("--num-layers", "1", "--d-model", "16", "--num-heads", "2", "--dff", "32"),
]
COMMANDS = {
    "translator": ["train_translator", "--max-length", "64", "--warmup-steps", "20", *TEXT],
    "recurrent": [
        *("train_translator", "--model", "rnn-attention", "--units", "16"),
        *("--d-model", "16", "--pieces", "80", "--max-length", "64", "--batch-size", "16"),
    ],
    "VAE": ["train_vae", "--units", "32", "--latents", "4"],
    "classifier": ["train_classifier", "--max-length", "64", *TEXT],
}
EPOCHS = {"translator": 30, "recurrent": 30, "VAE": 60, "classifier": 30}


def write_corpora(folder: Path) -> dict[str, list[str]]:
    """Small files for each command, as its arguments."""
    write_pairs(folder / "deu.txt")
    write_labelled(folder / "labelled.tsv")
    corpus, texts = ["--corpus", str(folder / "deu.txt")], str(folder / "labelled.tsv")
    labels = ["--train", texts, "--test", texts]
    return {"translator": corpus, "recurrent": corpus, "VAE": [], "classifier": labels}


def command(name: str, data: list[str], run_dir: Path) -> list[str]:
    """The whole command line."""
    script, *options = COMMANDS[name]
    path = str(ROOT / "scripts" / f"{script}.py")
    epochs = ["--epochs", str(EPOCHS[name])]
    return [sys.executable, path, *options, *data, *epochs, "--run-dir", str(run_dir)]


def kill_until_done(arguments: list[str], kills: int, moments: random.Random) -> int:
    """Start, kill, start again; return how often it was killed before it was done."""
    for number in range(kills):
        process = subprocess.Popen(
            arguments, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        for line in process.stdout:  # the training itself, not the seconds of the start
            if line.startswith(("model:", "epoch ")):
                break
        time.sleep(moments.expovariate(1.0))
        if process.poll() is not None:
            return number
        process.kill()
        process.wait()
    return kills


def train_to_the_last_epoch(arguments: list[str], epochs: int) -> None:
    """Scores and figures, which come after it, would take longer than the training."""
    with subprocess.Popen(arguments, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        if any(line.startswith(f"epoch {epochs}/{epochs}: ") for line in process.stdout):
            process.kill()
        else:  # it was killed after its last epoch
            assert process.wait() == 0


def state(run_dir: Path) -> dict:
    """All that the latest checkpoint holds but times, and the curve."""
    import tensorflow as tf

    from tf_models.training.checkpoints import checkpoint_path

    reader = tf.train.load_checkpoint(checkpoint_path(run_dir / "checkpoints", "latest"))
    names = [n for n in reader.get_variable_to_shape_map() if n.startswith(("model", "optimizer"))]
    found = {name: reader.get_tensor(name).tobytes() for name in names}
    with (run_dir / "history.csv").open() as file:
        rows = list(csv.DictReader(file))
    return {**found, "curve": [{k: row[k] for k in row if "second" not in k} for row in rows]}


def survives(name: str, kills: int, seed: int, folder: Path) -> int:
    """Compare a killed training with an undisturbed one; return how often it was killed.

    Raises:
        AssertionError: their ends differ.
    """
    data = write_corpora(folder)[name]
    killed, whole = folder / f"{name}-killed", folder / f"{name}-whole"
    count = kill_until_done(command(name, data, killed), kills, random.Random(seed))
    for run_dir in (killed, whole):
        train_to_the_last_epoch(command(name, data, run_dir), EPOCHS[name])
    assert state(killed) == state(whole), f"{name}, seed {seed}: another end"
    return count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200, help="of all commands together")
    parser.add_argument("--each", type=int, default=10, help="kills of one training")
    parser.add_argument("--seed", type=int, default=0, help="of the moments")
    arguments = parser.parse_args()
    seed, done = arguments.seed, 0
    while done < arguments.kills:
        for name in COMMANDS:
            with tempfile.TemporaryDirectory() as folder:
                done += survives(name, arguments.each, seed, Path(folder))
            print(f"{done} kills: {name}, seed {seed}: the same end", flush=True)
        seed += 1


if __name__ == "__main__":
    main()
