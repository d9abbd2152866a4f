import pytest
import tensorflow as tf  # noqa: F401 - what it says at its start is not the script's

from tests.support.commands import TINY, call, compiled, graphs, printed_by, spawn  # noqa: F401
from tests.support.images import write_npz
from tests.support.labelled import QUICK, write_labelled

NOUNS = {
    "dog": "Hund",
    "fox": "Fuchs",
    "bear": "Bär",
    "wolf": "Wolf",
    "man": "Mann",
    "guest": "Gast",
}
VERBS = {"sees": "sieht", "hears": "hört", "loves": "liebt", "knows": "kennt"}


@pytest.fixture(scope="session")
def table(tmp_path_factory):
    """A tab-separated corpus."""
    lines = [
        f"The {a} {verb} the {b}.\tDer {NOUNS[a]} {VERBS[verb]} den {NOUNS[b]}."
        for a in NOUNS
        for b in NOUNS
        for verb in VERBS
    ]
    path = tmp_path_factory.mktemp("corpus") / "deu.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def trained(table, tmp_path_factory):
    """A run directory, two epochs old, and what its training printed."""
    run_dir = tmp_path_factory.mktemp("runs") / "tiny"
    arguments = ["--corpus", table, "--run-dir", run_dir, "--epochs", 2, *TINY]
    return run_dir, printed_by("train_translator", *arguments)


@pytest.fixture
def run_dir(trained):
    return trained[0]


@pytest.fixture(scope="session")
def npz(tmp_path_factory):
    """A file of images, as Keras stores MNIST."""
    return write_npz(tmp_path_factory.mktemp("images") / "rows.npz")


@pytest.fixture(scope="session")
def train_quietly(npz, tmp_path_factory):
    """train_quietly("train_vae", "--latents", 2): a run directory, two epochs old."""

    def train(script, *options):
        run_dir = tmp_path_factory.mktemp("runs") / "run"
        printed_by(script, "--dataset", npz, "--epochs", 2, *options, "--run-dir", run_dir)
        return run_dir

    return train


@pytest.fixture(scope="session")
def autoencoder_run(train_quietly):
    return train_quietly("train_autoencoder", "--units", 8, "--code-size", 4)


@pytest.fixture(scope="session")
def vae_run(train_quietly):
    return train_quietly("train_vae", "--units", 8, "--latents", 3)


@pytest.fixture(scope="session")
def hierarchical_run(train_quietly):
    return train_quietly(
        "train_vae", "--model", "hierarchical", "--groups", "1", "--channels", 4,
        "--latent-channels", 1,
    )  # fmt: skip


@pytest.fixture(scope="session")
def classifier_run(tmp_path_factory):
    """A classifier's run directory, two epochs old, and what its training printed."""
    folder = tmp_path_factory.mktemp("classifier")
    train = write_labelled(folder / "train.tsv")
    test = write_labelled(folder / "test.tsv", ("seeks",))
    arguments = ["--train", train, "--test", test, *QUICK, "--run-dir", folder / "run"]
    return folder / "run", printed_by("train_classifier", *arguments)


@pytest.fixture(scope="session")
def story_run(tmp_path_factory):
    """A run directory of question answering, one epoch old, and what its training printed."""
    run_dir = tmp_path_factory.mktemp("runs") / "stories"
    options = ["--training-questions", 150, "--embedding-dim", 8, "--units", 8, "--hops", 1]
    arguments = [*options, "--batch-size", 16, "--epochs", 1, "--run-dir", run_dir]
    with graphs():  # 3,000 questions are answered
        return run_dir, printed_by("train_question_answering", *arguments)
