import pytest
from tiny import TINY, make_corpus

from tf_models.training.run_directory import RunDirectory
from tf_models.training.translator import prepare_training


@pytest.fixture(scope="session")
def corpus():
    return make_corpus()


@pytest.fixture
def prepare(corpus, tmp_path):
    """prepare(name="run", **changes): a training in a run directory of that name."""
    return in_folder(tmp_path, corpus)


@pytest.fixture(scope="module")
def uninterrupted(corpus, tmp_path_factory):
    """A training that has come to its end."""
    training = in_folder(tmp_path_factory.mktemp("runs"), corpus)("uninterrupted")
    assert training.loop.fit(TINY.epochs)
    return training


def in_folder(folder, corpus):
    def make(name="run", seed=0, bpemb_cache=None, **changes):
        return prepare_training(
            RunDirectory(folder / name),
            corpus,
            TINY.changed(**changes),
            seed,
            bpemb_cache=bpemb_cache,
            report=lambda line: None,
        )

    return make
