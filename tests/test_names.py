"""Names that `tf_models` offers: lazily, typed, and alike where they are sisters."""

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tf_models
from tests.support.tiny import TINY
from tf_models.quiet import LEVEL

LISTS_MODULES = """
import sys
import tf_models
print(*{name.partition(".")[0] for name in sys.modules})
"""
FIRST_TENSOR = """
from tf_models import BeamSearch
import tensorflow as tf
print(tf.zeros(1).shape)
"""
TYPED = """
from tf_models import CustomSchedule, ready_made, train_translator
ready_made().translate(["Hello."])[0][0].words
CustomSchedule("wide")
train_translator("run", "toy")
from tf_models import Transformers
"""
TRAININGS = [name for name in tf_models.__all__ if name.startswith("train_")]


@pytest.fixture
def environment():
    """As a reader's: the messages of TensorFlow are set to nothing."""
    return {name: value for name, value in os.environ.items() if name != LEVEL}


def run(code, environment):
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=environment, capture_output=True, encoding="utf-8")


def test_the_package_alone_imports_nothing(environment):
    imported = run(LISTS_MODULES, environment).stdout.split()
    assert "tf_models" in imported
    assert not {"tensorflow", "keras", "numpy", "matplotlib"} & set(imported)


@pytest.mark.processes
def test_tensorflow_starts_without_messages(environment):
    done = run(FIRST_TENSOR, environment)
    assert (done.stdout, done.stderr) == ("(1,)\n", "")
    assert run(FIRST_TENSOR, {**environment, LEVEL: "0"}).stderr


@pytest.mark.parametrize("name", tf_models.__all__)
def test_each_name_is_that_of_its_module_and_documented(name):
    found = getattr(tf_models, name)
    assert found.__module__ == tf_models.MODULES[name]
    assert found.__name__ == name
    assert found.__doc__
    assert name in dir(tf_models)


def test_unknown_names():
    with pytest.raises(ImportError, match="Transformers"):
        from tf_models import Transformers  # noqa: F401
    assert not hasattr(tf_models, "Transformers")


@pytest.mark.slow
def test_mypy_knows_their_types(tmp_path, monkeypatch):
    api = pytest.importorskip("mypy.api")
    monkeypatch.chdir(Path(tf_models.__file__).parents[1])
    (file := tmp_path / "reader.py").write_text(TYPED, encoding="utf-8")
    *lines, _ = api.run(["--strict", "--follow-imports=silent", str(file)])[0].splitlines()
    complaints = [re.fullmatch(r".*:(\d): error: .* \[(.*)\]", line) for line in lines]
    assert [complaint.groups() for complaint in complaints] == [
        ("3", "attr-defined"),
        ("4", "arg-type"),
        ("5", "call-arg"),
        ("6", "attr-defined"),
    ]


@pytest.mark.parametrize("name", TRAININGS)
def test_trainings_have_one_order_of_arguments(name):
    parameters = inspect.signature(getattr(tf_models, name)).parameters
    assert [*parameters][:4] == ["run_dir", "data", "settings", "seed"]
    assert parameters["seed"].default == 0
    by_name = [*parameters.values()][4:]
    assert all(one.kind is one.KEYWORD_ONLY for one in by_name)
    assert {"minutes", "report"} <= {one.name for one in by_name}


@pytest.mark.parametrize("data", ["toy", ["toy"]], ids=["name", "list"])
def test_a_corpus_is_a_name_or_a_list_and_a_path_may_be_a_str(data, tmp_path):
    lines = []
    options = {"max_pairs": 200, "fit": False, "report": lines.append}
    loop = tf_models.train_translator(str(tmp_path / "run"), data, TINY, **options)
    assert loop.run.path == tmp_path / "run"
    assert "loading corpus toy" in lines


@pytest.mark.parametrize(
    ("name", "run", "parts"),
    [
        ("Translator", "translator", ["en to de, Transformer"]),
        ("ImageModel", "vae", ["x 1, VAE"]),
        ("TextClassifier", "classifier", ["2 classes"]),
        ("ImageClassifier", "images", ["classes"]),
        ("Answerer", "questions", ["QuestionAnsweringModel"]),
    ],
)
def test_trained_models_say_what_they_are(name, run, parts, tiny_run):
    shown = repr(getattr(tf_models, name).load(str(tiny_run(run))))
    assert shown.startswith(f"{name}(")
    assert shown.endswith(f" parameters, from {tiny_run(run)})")
    assert all(part in shown for part in parts)
