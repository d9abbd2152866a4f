"""Run directories with a damaged file: one line that names it."""

import json
import shutil

import pytest

from tests.support.tiny_runs import FOLDER
from tf_models.errors import InputError
from tf_models.tasks.autoencoding.models import ImageModel
from tf_models.tasks.classification.text_classifier import TextClassifier
from tf_models.tasks.question_answering.answerer import Answerer
from tf_models.tasks.translation.translator import Translator

LOADERS = {
    "translator": Translator,
    "vae": ImageModel,
    "classifier": TextClassifier,
    "questions": Answerer,
}


@pytest.fixture(params=LOADERS)
def run(request, tmp_path):
    """A copy of a run, to be damaged."""
    return shutil.copytree(FOLDER / request.param, tmp_path / request.param)


def complaint(run):
    """The one line of the error."""
    with pytest.raises(InputError) as raised:
        LOADERS[run.name].load(run)
    assert "\n" not in str(raised.value)
    return str(raised.value)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"kind": 7}'])
def test_a_damaged_config(run, text):
    (run / "config.json").write_text(text)
    assert "config.json" in complaint(run)


def test_a_config_without_the_model(run):
    config = json.loads((run / "config.json").read_text())
    del config["model"]
    (run / "config.json").write_text(json.dumps(config))
    assert "config.json" in complaint(run)


def test_a_cut_checkpoint(run):
    for path in (run / "checkpoints").rglob("ckpt-*.data-*"):
        path.write_bytes(path.read_bytes()[:99])
    assert "ckpt-" in complaint(run)


def test_no_run_directory(run):
    (run / "config.json").unlink()
    assert f"no run directory at {run}" in complaint(run)
