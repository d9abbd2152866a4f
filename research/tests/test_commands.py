"""What the commands of research have in common."""

import subprocess
import sys
from pathlib import Path

RESEARCH = Path(__file__).resolve().parents[1]
MODULES = [
    "research.benchmarks.autoencoders",
    "research.benchmarks.scaling",
    "research.benchmarks.translator",
    "research.experiments.__main__",
    "research.grammar.write",
    "research.heads.__main__",
]
SHOW = """
import importlib, sys
for name in sys.argv[1:]:
    print(importlib.import_module(name).make_parser().format_help(), end="\\0")
late = {"tensorflow", "keras", "matplotlib"} & sys.modules.keys()
sys.exit(f"imported for --help: {late}" if late else 0)
"""


def test_help_has_examples_and_is_quick():
    command = [sys.executable, "-c", SHOW, *MODULES]
    done = subprocess.run(command, capture_output=True, text=True, cwd=RESEARCH.parent)
    assert done.returncode == 0, done.stderr
    for name, text in zip(MODULES, done.stdout.split("\0"), strict=False):
        assert f"python -m {name.removesuffix('.__main__')}" in text


def test_each_folder_says_what_it_asks_on_a_page():
    folders = [path.parent for path in RESEARCH.glob("*/__init__.py")]
    assert len(folders) >= 4
    for folder in folders:
        text = (folder / "README.md").read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 50
        assert f"python -m pytest research/{folder.name}" in text
        assert list((folder / "tests").glob("test_*.py"))
