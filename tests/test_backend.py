"""Keras computes as the models need it, whatever this machine's settings are."""

import importlib
import json
import os
import subprocess
import sys
import warnings

import keras
import pytest

from tf_models import backend


@pytest.mark.processes
def test_trainings_do_not_depend_on_keras_json(tmp_path):
    settings = {"backend": "torch", "floatx": "float64", "image_data_format": "channels_first"}
    (tmp_path / "keras.json").write_text(json.dumps(settings), encoding="utf-8")
    environment = {**os.environ, "KERAS_HOME": str(tmp_path), "KERAS_BACKEND": "torch"}
    command = [sys.executable, "-m", "tf_models", "train-autoencoder", "--epochs", "1"]
    command += ["--model", "convolutional", "--run-dir", tmp_path / "run"]
    done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8")

    assert done.returncode == 0, done.stderr
    assert "Keras" not in done.stderr


@pytest.fixture
def other_settings():
    """Keras as a program may have set it."""
    keras.config.set_floatx("float64")
    keras.config.set_image_data_format("channels_first")
    yield
    keras.config.set_floatx("float32")
    keras.config.set_image_data_format("channels_last")


@pytest.mark.usefixtures("other_settings")
def test_other_settings_are_changed_and_it_says_so_once():
    with pytest.warns(UserWarning, match="it was float64 and channels_first$"):
        importlib.reload(backend)
    assert keras.config.floatx() == "float32"
    assert keras.config.image_data_format() == "channels_last"
    with warnings.catch_warnings(action="error"):
        importlib.reload(backend)


def test_keras_with_another_backend_is_refused_in_one_line(monkeypatch):
    monkeypatch.setattr(keras.config, "backend", lambda: "torch")
    with pytest.raises(ImportError, match="^tf_models needs .* torch .* KERAS_BACKEND=tensorflow$"):
        importlib.reload(backend)
