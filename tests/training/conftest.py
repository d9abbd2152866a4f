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

    def make(name="run", seed=0, bpemb_cache=None, **changes):
        return prepare_training(
            RunDirectory(tmp_path / name),
            corpus,
            TINY.changed(**changes),
            seed,
            bpemb_cache=bpemb_cache,
            report=lambda line: None,
        )

    return make
