import shutil
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from tests.support.commands import POSITIONS
from tf_models.commands import export as command
from tf_models.data.text.word_list import WordList
from tf_models.errors import InputError
from tf_models.tasks.translation.export.ctranslate2 import export_ctranslate2
from tf_models.tasks.translation.export.litert import export_litert
from tf_models.tasks.translation.export.run_directory import export_run_directory
from tf_models.tasks.translation.export.saved_model import export_saved_model
from tf_models.tasks.translation.remarks import TrainingSentences
from tf_models.tasks.translation.translator import Translator
from tf_models.training.checkpoints import save_model, weights_fingerprint
from tf_models.training.run_directory import RunDirectory

CTRANSLATE2_MISSING = 'CTranslate2 is not installed: pip install -e ".[benchmark]"'
LITERT_MISSING = 'LiteRT is not installed: pip install -e ".[benchmark]"'
SENTENCE = "The dog sees the fox."


@pytest.fixture
def export(run_dir, call, tmp_path):
    """export("saved-model", "--beam-size", 2): the script, with "out" for its output."""

    def run(form, *options, output=tmp_path / "out", run=run_dir):
        return call("export", "--run-dir", run, "--format", form, "--output", output, *options)

    return run


def run_example(tool, folder):
    """Run the lines that --help gives for this tool, and return what they print."""
    lines = command.__doc__.split(f"with {tool}")[1].split("\n\n")[0].split("\n", 1)[1]
    program = textwrap.dedent(lines).replace("The old dog sleeps.", SENTENCE)
    program = program.replace("127", str(POSITIONS - 1))
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_ctranslate2_from_text_to_text(export, tmp_path):
    pytest.importorskip("ctranslate2", reason=CTRANSLATE2_MISSING)
    result = export("ctranslate2", output=tmp_path / "toy-ct2")

    assert result.status == 0, result.err
    assert result.out.startswith(f"wrote {tmp_path / 'toy-ct2'}")
    assert len(run_example("CTranslate2", tmp_path).splitlines()) == 1


@pytest.mark.slow
def test_litert_from_text_to_text(export, call, run_dir, tmp_path):
    pytest.importorskip("ai_edge_litert", reason=LITERT_MISSING)
    result = export("litert", "--beam-size", 3)
    assert result.status == 0, result.err

    program = tmp_path / "out" / "translate.py"
    assert str(program) in result.out
    found = subprocess.run(
        [sys.executable, program], input=f"{SENTENCE}\n", capture_output=True, text=True, check=True
    )
    expected = call("translate", "--run-dir", run_dir, "--beam-size", 3, SENTENCE)
    assert found.stdout == expected.out


@pytest.mark.slow
def test_saved_model_from_text_to_text(export, call, run_dir, tmp_path):
    result = export("saved-model", output=tmp_path / "toy-tf")
    assert result.status == 0, result.err

    expected = call("translate", "--run-dir", run_dir, "--beam-size", 4, SENTENCE)
    assert run_example("the SavedModel", tmp_path) == expected.out


def test_small_run_directory(export, call, run_dir, tmp_path):
    """It translates as the whole one does, and has less than half of its size."""
    small = tmp_path / "small"
    assert export("run-directory", output=small).status == 0

    sentences = ["The dog sees the fox.", "The bear."]
    outputs = [call("translate", "--run-dir", run, *sentences).out for run in (small, run_dir)]
    assert outputs[0] == outputs[1]
    sizes = [
        sum(path.stat().st_size for path in run.rglob("checkpoints/best/ckpt-*.data*"))
        for run in (small, run_dir)
    ]
    assert sizes[0] < 0.5 * sizes[1]
    assert not (small / "words.json.xz").exists()  # the whole one has none, either
    complaint = call("train_translator", "--corpus", "toy", "--run-dir", small).complaint
    assert "without the state of its training" in complaint


def test_a_run_directory_in_16_bits(export, call, run_dir, tmp_path):
    half = tmp_path / "half"
    assert export("run-directory", "--quantization", "float16", output=half).status == 0

    network = Translator.load(half).model.network
    whole = Translator.load(run_dir).model.network.get_weights()
    for ours, theirs in zip(network.get_weights(), whole, strict=True):
        np.testing.assert_array_equal(ours, theirs.astype(np.float16))
    again = tmp_path / "again"
    assert export("run-directory", "--quantization", "float16", output=again, run=half).status == 0
    assert weights_fingerprint(RunDirectory(again), "best") == weights_fingerprint(
        RunDirectory(half), "best"
    )
    bias = network.final_layer.bias
    bias.assign(np.full(bias.shape, 1e5))
    with pytest.raises(InputError, match="not finite in 16 bits"):
        save_model(network, RunDirectory(half), half=True)


def test_a_small_run_directory_keeps_the_words(export, run_dir, tmp_path):
    whole = tmp_path / "whole"
    shutil.copytree(run_dir, whole)
    TrainingSentences(9, WordList.of(["The dog sees the fox."])).save(RunDirectory(whole))
    assert export("run-directory", run=whole).status == 0

    small, words = tmp_path / "out", "words.json.xz"
    assert (small / words).read_bytes() == (whole / words).read_bytes()


def test_quantization(export, tmp_path):
    pytest.importorskip("ctranslate2", reason=CTRANSLATE2_MISSING)
    export("ctranslate2", output=tmp_path / "float32")
    export("ctranslate2", "--quantization", "int8", output=tmp_path / "int8")

    sizes = [(tmp_path / name / "model.bin").stat().st_size for name in ("int8", "float32")]
    assert sizes[0] < sizes[1]


def test_ctranslate2_is_missing(export, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "ctranslate2", None)
    complaint = export("ctranslate2").complaint

    assert "ctranslate2 is not installed; run: pip install ctranslate2" in complaint
    assert list(tmp_path.iterdir()) == []


EXPORTS = {
    "ctranslate2": export_ctranslate2,
    "litert": export_litert,
    "saved-model": export_saved_model,
    "run-directory": export_run_directory,
}


@pytest.mark.parametrize("form", EXPORTS)
@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_weights_that_are_not_finite(form, value, run_dir, tmp_path):
    if form == "ctranslate2":
        pytest.importorskip("ctranslate2", reason=CTRANSLATE2_MISSING)
    translator = Translator.load(run_dir)
    kernel = translator.model.network.encoder.enc_layers[0].ffn.layers[0].kernel
    values = kernel.numpy()
    values[1, 2] = value
    kernel.assign(values)
    options = {"run_dir": run_dir} if form == "run-directory" else {}
    with pytest.raises(InputError, match="kernel are not finite; take another checkpoint") as error:
        EXPORTS[form](translator, tmp_path, **options)
    assert "\n" not in str(error.value)
    written = {path.name.split(".")[0] for path in tmp_path.rglob("*")}
    assert not written & {"model", "saved_model", "ckpt-1"}


def test_output_that_cannot_be_written(export, tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("mine")

    complaint = export("saved-model", output=tmp_path / "full").complaint
    assert "full exists already; choose another --output" in complaint
    complaint = export("saved-model", output=tmp_path / "full" / "file").complaint
    assert "file exists already; choose another --output" in complaint
    complaint = export("saved-model", output=tmp_path / "full" / "file" / "out").complaint
    assert "cannot write" in complaint
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["file"]
