"""A translator whose code has changed since it was trained says so in one line."""

import json

import pytest

from tests.support.tiny_runs import FOLDER
from tf_models.tasks.translation.architectures import build_model
from tf_models.tasks.translation.run import load_settings
from tf_models.tasks.translation.translator import Translator
from tf_models.training.checkpoints import load_model, save_model
from tf_models.training.run_directory import RunDirectory
from tf_models.transformer.layers import DecoderLayer


def saved(name, folder, dtype="float32", **options):
    """A run like a committed one, saved anew by a model of that dtype."""
    made, run = RunDirectory(FOLDER / name), RunDirectory(folder / "run")
    settings, tokenizers = load_settings(made)
    model = build_model(settings, tokenizers, dtype)
    load_model(model.network, made, "best")
    run.path.mkdir()
    run.config_file.write_bytes(made.config_file.read_bytes())
    tokenizers.copy_to(run.tokenizers)
    save_model(model.network, run, **{"outputs": model.outputs, **options})
    return run


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("translator", {}),
        ("translator", {"half": True}),
        ("translator", {"dtype": "mixed_bfloat16"}),
        ("translator", {"dtype": "mixed_float16"}),
        ("recurrent", {}),
    ],
)
def test_other_precision_is_no_other_code(name, options, tmp_path, capsys):
    Translator.load(saved(name, tmp_path, **options).path)
    assert not capsys.readouterr().err


def test_another_activation_in_the_code_is_named(tmp_path, capsys, monkeypatch):
    run = saved("translator", tmp_path)
    monkeypatch.setattr(DecoderLayer, "activation", "gelu")
    Translator.load(run.path)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"{run.path}: the model's code has changed since: its outputs")


def test_a_run_of_before_is_loaded_in_silence(tmp_path, capsys, monkeypatch):
    run = saved("translator", tmp_path, outputs=None)
    monkeypatch.setattr(DecoderLayer, "activation", "gelu")
    Translator.load(run.path)
    assert not capsys.readouterr().err


def test_the_translator_of_the_package_would_notice():
    from tf_models.tasks.translation.ready_made import RUN_DIR
    from tf_models.training.checkpoints import _read_said

    said = _read_said(RUN_DIR / "checkpoints" / "best" / "ckpt-1", {})
    assert len(said["outputs"]["values"]) == 64
    assert json.dumps(said["outputs"]["tolerance"]) == "0.01"
