import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commands import POSITIONS

CTRANSLATE2_MISSING = 'CTranslate2 is not installed: pip install -e ".[benchmark]"'
LITERT_MISSING = 'LiteRT is not installed: pip install -e ".[benchmark]"'
DOCS = Path(__file__).resolve().parents[2] / "docs" / "decoding.md"
SENTENCE = "The dog sees the fox."


@pytest.fixture
def export(run_dir, call, tmp_path):
    """export("saved-model", "--beam-size", 2): the script, with "out" for its output."""

    def run(form, *options, output=tmp_path / "out", run=run_dir):
        return call("export", "--run-dir", run, "--format", form, "--output", output, *options)

    return run


def run_example(*tools, folder):
    """Run the lines that docs/decoding.md gives for these tools; return what they print."""
    blocks = re.findall(r"```python\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    lines = [next(block for block in blocks if tool in block) for tool in tools]
    program = "\n".join(lines).replace("The old dog sleeps.", SENTENCE)
    program = program.replace("127", str(POSITIONS - 1)).replace("128", str(POSITIONS))
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_ctranslate2_from_text_to_text(export, tmp_path):
    pytest.importorskip("ctranslate2", reason=CTRANSLATE2_MISSING)
    result = export("ctranslate2", output=tmp_path / "toy-ct2")

    assert result.status == 0, result.err
    assert result.out.startswith(f"wrote {tmp_path / 'toy-ct2'}")
    assert len(run_example("ctranslate2", folder=tmp_path).splitlines()) == 1


@pytest.mark.slow
def test_saved_model_from_text_to_text(export, call, run_dir, tmp_path):
    result = export("saved-model", output=tmp_path / "toy-tf")
    assert result.status == 0, result.err

    expected = call("translate", "--run-dir", run_dir, "--beam-size", 4, SENTENCE)
    assert run_example("saved_model.load", folder=tmp_path) == expected.out


@pytest.mark.slow
def test_litert_from_the_saved_model(export, call, run_dir, tmp_path):
    pytest.importorskip("ai_edge_litert", reason=LITERT_MISSING)
    assert export("saved-model", output=tmp_path / "toy-tf").status == 0

    _, found = run_example("saved_model.load", "TFLiteConverter", folder=tmp_path).splitlines()
    assert found == call("translate", "--run-dir", run_dir, SENTENCE).out.strip("\n")
