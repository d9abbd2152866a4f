"""Run directories of models so small that they are committed: tests/tiny_runs/NAME.

`python -m tests.make_tiny_runs` makes them, with the real scripts.
"""

import functools
import shutil
from pathlib import Path

import pytest

from tests.support.commands import TINY, TINY_CLASSIFIER, TINY_TEXT
from tests.support.images import write_npz
from tests.support.language import write_labelled, write_pairs

FOLDER = Path(__file__).resolve().parents[1] / "tiny_runs"
PLACE = "/tiny_inputs"  # in config.json, for the folder of the inputs
INPUTS = {
    "deu.txt": write_pairs,
    "rows.npz": write_npz,
    "train.tsv": lambda path: write_labelled(path, "sees", "hears", "loves"),
    "test.tsv": lambda path: write_labelled(path, "knows"),
}
# Two epochs that are kept, and decoding that is chosen by a metric.
SEARCHED = [
    *("--preset", "toy", "--epochs", 2, "--average-last-n", 2),
    *("--patience", 5, "--beam-size", 2),
    *TINY_TEXT,
]
IMAGES = ["--dataset", "rows.npz", "--epochs", 2]
COMMANDS = {  # without --run-dir
    "translator": [
        *("train_translator", "--corpus", "deu.txt", "--preset", "toy", "--epochs", 2),
        *TINY,
    ],
    "recurrent": [
        *("train_translator", "--corpus", "deu.txt", "--model", "rnn-attention"),
        *("--units", 8, "--d-model", 8, *SEARCHED),
    ],
    "autoencoder": ["train_autoencoder", *IMAGES, "--units", 8, "--code-size", 4],
    "vae": ["train_vae", *IMAGES, "--units", 8, "--latents", 3],
    "hierarchical": [
        *("train_vae", *IMAGES, "--model", "hierarchical", "--groups", "1"),
        *("--channels", 4, "--latent-channels", 1),
    ],
    "classifier": [
        *("train_classifier", "--train", "train.tsv", "--test", "test.tsv"),
        *TINY_CLASSIFIER,
    ],
    "images": [
        *("train_image_classifier", *IMAGES, "--patch", 1, "--num-layers", 1, "--shift", 1),
        *("--d-model", 8, "--num-heads", 2, "--dff", 8),
    ],
    "questions": [
        *("train_question_answering", "--training-questions", 150, "--epochs", 1),
        *("--embedding-dim", 8, "--units", 8, "--hops", 2, "--batch-size", 16),
    ],
}


def write_inputs(folder: Path) -> Path:
    """Write what `COMMANDS` read; return the folder."""
    for name, write in INPUTS.items():
        write(folder / name)
    return folder


def command_of(name: str, folder: Path) -> list:
    """Script and options, with the paths of the inputs in `folder`."""
    return [folder / word if word in INPUTS else word for word in COMMANDS[name]]


@pytest.fixture(scope="session")
def tiny_inputs(tmp_path_factory):
    """The folder of the files that the tiny runs were trained on."""
    return write_inputs(tmp_path_factory.mktemp("inputs"))


@pytest.fixture(scope="session")
def tiny_run(tiny_inputs, tmp_path_factory):
    """tiny_run("vae"): the path of a copy, whose inputs are in `tiny_inputs`."""

    @functools.cache
    def copy(name):
        run_dir = tmp_path_factory.mktemp("runs") / name
        shutil.copytree(FOLDER / name, run_dir)
        config = run_dir / "config.json"
        config.write_text(config.read_text().replace(PLACE, str(tiny_inputs)))
        return run_dir

    return copy
