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


def _copy_of(name):
    """A fixture: the run directory of a tiny run."""
    return pytest.fixture(lambda tiny_run: tiny_run(name))


run_dir = _copy_of("translator")
classifier_run = _copy_of("classifier")
image_classifier_run = _copy_of("images")
questions_run = _copy_of("questions")
autoencoder_run = _copy_of("autoencoder")
vae_run = _copy_of("vae")
hierarchical_run = _copy_of("hierarchical")
