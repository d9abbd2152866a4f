"""A user's code is checked against the types of the installed package.

Types in the library itself: .ci/platforms.py.
"""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
SETTINGS = """
[mypy]
disallow_untyped_calls = true
disable_error_code = union-attr
[mypy-tensorflow.*,keras.*,numpy.*,matplotlib.*,ctranslate2.*,sentencepiece.*]
ignore_missing_imports = true
"""
RESULTS = """
from typing import assert_type
import tensorflow as tf
from tf_models.tasks.translation.translator import Translation, Translator
from tf_models.transformer.masks import create_masks
from tf_models.transformer.model import Transformer

def use(translator: Translator, transformer: Transformer, ids: tf.Tensor) -> None:
    assert_type(translator.translate(["A dog."]), list[list[Translation]])
    assert_type(transformer.encoder.call(ids), tuple[tf.Tensor, dict[str, tf.Tensor]])
    assert_type(create_masks(ids, ids), tuple[tf.Tensor, tf.Tensor, tf.Tensor])
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Python of an environment that has the package, and nothing else."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=os.name != "nt")
    packages, scripts = (
        Path(sysconfig.get_path(name, "venv", {"base": str(folder)}))
        for name in ("purelib", "scripts")
    )
    (packages / "tf_models.pth").write_text(str(ROOT), encoding="utf-8")
    return scripts / Path(sys.executable).name


@pytest.mark.slow
def test_code_of_readme_and_docs_has_types(installed, tmp_path):
    blocks = [
        block.partition("```")[0]
        for page in PAGES
        for block in page.read_text(encoding="utf-8").split("```python\n")[1:]
    ]
    for number, code in enumerate([*blocks, RESULTS]):
        (tmp_path / f"block_{number}.py").write_text(code, encoding="utf-8")
    (tmp_path / "mypy.ini").write_text(SETTINGS, encoding="utf-8")
    words = [sys.executable, "-m", "mypy", "--python-executable", installed, "."]
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    done = subprocess.run(words, cwd=tmp_path, env=alone, capture_output=True, encoding="utf-8")

    assert done.returncode == 0, done.stdout + done.stderr
