"""The package from a wheel in an empty folder, without a checkout: what a newcomer does first."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from tests.support.commands import TINY
from tests.support.language import write_pairs
from tests.support.wheel import installed  # noqa: F401
from tf_models.__main__ import listing

# Several commands in one process: TensorFlow takes seconds to import.
RUN_ALL = """
import json, sys
import tf_models
from tf_models.__main__ import main
print(tf_models.__file__)
for words in json.loads(sys.argv[1]):
    sys.argv = ["tf-models", *words]
    try:
        main()
    except SystemExit as end:
        assert not end.code, words
"""


@pytest.mark.processes
def test_first_steps_without_a_checkout(installed, tmp_path):  # noqa: F811
    write_pairs(tmp_path / "own.tsv")
    dog, own = "The dog loves the fox.", ["--run-dir", "own"]
    training = ["--corpus", "own.tsv", "--languages", "en-de", *own, *TINY, "--epochs", "1"]
    steps = [
        ["translate", "My name is Anna."],
        ["plot-attention", "--sentence", "My name is Anna.", "--output", "heads.png"],
        ["plot-figures", "--figure", "interpolation", "--output", "fading.png"],
        ["plot-figures", "--figure", "classes", "--count", "20", "--output", "classes.png"],
        ["train-translator", *training],
        ["translate", *own, dog],
        ["view-attention", *own, "--output", "page.html", "--sentence", dog],
    ]

    def printed(*words):
        environment = {**os.environ, "PYTHONPATH": str(installed)}
        options = {"capture_output": True, "encoding": "utf-8", "cwd": tmp_path}
        done = subprocess.run([*map(str, words)], env=environment, **options)
        assert done.returncode == 0, done.stderr
        return done.stdout

    program = shutil.which("tf-models", path=installed / "bin")
    assert printed(sys.executable, program).rstrip() == listing()

    place, translation, *rest = printed(
        sys.executable, "-c", RUN_ALL, json.dumps(steps)
    ).splitlines()
    assert place.startswith(str(installed))
    assert translation == "Mein Name ist Anna."
    assert rest[-1] == "page.html"
    for picture in ("heads", "fading", "classes"):
        assert (tmp_path / f"{picture}.png").read_bytes().startswith(b"\x89PNG")
    assert dog in (tmp_path / "page.html").read_text(encoding="utf-8")
