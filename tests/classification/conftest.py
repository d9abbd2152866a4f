import pytest


@pytest.fixture(scope="session")
def texts():
    """Sentences of two animals, which stand in alphabetical order or not."""
    from tests.support import language

    return language.labelled_texts()


@pytest.fixture(scope="session")
def train(texts, tmp_path_factory):
    """train("run", **changes): a trained classifier's loop, in a run directory of that name."""
    from tests.support.tiny_classifier import in_folder

    return in_folder(tmp_path_factory.mktemp("classifiers"), texts)
