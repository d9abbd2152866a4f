"""A classifier so small that it trains in seconds, and labelled sentences of the toy language."""

import pytest

from tests.support import language
from tf_models.classification.settings import text_preset

SIZES = {"num_layers": 1, "d_model": 16, "num_heads": 2, "dff": 32, "pieces": 60}
SETTINGS = text_preset("reference").changed(max_length=20, batch_size=16, epochs=3, **SIZES)


@pytest.fixture(scope="session")
def texts():
    """Sentences of two animals, which stand in alphabetical order or not."""
    return language.labelled_texts()


@pytest.fixture(scope="session")
def train(texts, tmp_path_factory):
    """train("run", **changes): a trained classifier's loop, in a run directory of that name."""
    from tf_models.classification.train import train_text_classifier

    folder = tmp_path_factory.mktemp("classifiers")

    def make(name, texts=texts, encoder_from=None, **changes):
        settings = SETTINGS.changed(**changes)
        options = {"encoder_from": encoder_from, "evaluates": False, "report": lambda line: None}
        return train_text_classifier(folder / name, texts, settings, **options)

    return make
