import pytest
import tensorflow as tf  # noqa: F401 - what it says at its start is not the script's

from tests.support.commands import as_users_run_it, call, compiled, spawn


@pytest.fixture(scope="session")
def table(tiny_inputs):
    """A tab-separated corpus, which the tiny translator was trained on."""
    return tiny_inputs / "deu.txt"


@pytest.fixture(scope="session")
def npz(tiny_inputs):
    """A file of images, as Keras stores MNIST, which the tiny image models were trained on."""
    return tiny_inputs / "rows.npz"


@pytest.fixture
def without_figures(monkeypatch):
    """A translator's training draws nothing at its end; that takes longer than the training."""
    from tf_models.tasks.translation import report

    monkeypatch.setattr(report, "draw_figures", lambda training, translator: {})


@pytest.fixture
def run_dir(tiny_run):
    """A translator's run directory."""
    return tiny_run("translator")


@pytest.fixture
def classifier_run(tiny_run):
    return tiny_run("classifier")


@pytest.fixture
def questions_run(tiny_run):
    return tiny_run("questions")


@pytest.fixture
def autoencoder_run(tiny_run):
    return tiny_run("autoencoder")


@pytest.fixture
def vae_run(tiny_run):
    return tiny_run("vae")


@pytest.fixture
def hierarchical_run(tiny_run):
    return tiny_run("hierarchical")
