"""The budgets of `[tool.budgets]` in pyproject.toml.

Code is measured in nodes of its syntax tree: neither long lines nor tuples make it smaller.
"""

import ast
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.test_imports import import_graph

ROOT = Path(__file__).resolve().parents[1]
BUDGETS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["budgets"]
PAGE = "tf_models/translation/page/web"
FOLDERS = sorted(path.parent.name for path in (ROOT / "tf_models").glob("*/__init__.py"))


def committed(folder: str, *suffixes: str) -> list[Path]:
    """Files of a folder that git tracks, by their suffixes; all files outside of a checkout."""
    listed = subprocess.run(
        ["git", "ls-files", folder], cwd=ROOT, capture_output=True, encoding="utf-8"
    )
    names = listed.stdout.splitlines() if listed.returncode == 0 else ()
    paths = [ROOT / name for name in names] or [*(ROOT / folder).rglob("*")]
    return [path for path in paths if path.suffix in suffixes and path.is_file()]


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def lines(folder: str, *suffixes: str) -> int:
    return sum(text(path).count("\n") for path in committed(folder, *suffixes))


def nodes(*paths: Path) -> int:
    """Nodes of the syntax trees; whether a name is read or written is none."""
    trees = [ast.parse(text(path)) for path in paths]
    return sum(not isinstance(node, ast.expr_context) for tree in trees for node in ast.walk(tree))


def python(folder: str) -> list[Path]:
    return committed(folder, ".py")


def words(*paths: Path) -> int:
    return sum(len(text(path).split()) for path in paths)


def closure(module: str) -> list[Path]:
    """Files that a module reaches by its imports; an empty __init__ does not count."""
    graph = import_graph(ROOT / "tf_models")
    found, left = set(), [module]
    while left:
        if (name := left.pop()) not in found:
            found.add(name)
            left += graph[name]
    files = [ROOT / "tf_models" / f"{name.replace('.', '/')}.py" for name in found if name]
    return [path for path in files if path.is_file()]


def measured() -> dict[str, int]:
    docs = committed("docs", ".md")
    return {
        "tf_models nodes": nodes(*python("tf_models")),
        "tf_models files": len(python("tf_models")),
        "research nodes": nodes(*python("research")),
        "page JavaScript lines": lines(PAGE, ".js"),
        "page CSS lines": lines(PAGE, ".css"),
        "scripts": len(python("scripts")),
        "docs words": words(*docs),
        "docs pages": len(docs),
        "README words": words(ROOT / "README.md"),
    }


def rooms() -> dict[str, int]:
    """Nodes in each folder of tf_models, and in the files beside the folders."""
    sizes = {folder: nodes(*python(f"tf_models/{folder}")) for folder in FOLDERS}
    return {**sizes, "files": nodes(*python("tf_models")) - sum(sizes.values())}


def over(sizes: dict[str, int], budgets: dict[str, int]) -> dict[str, tuple[int, int]]:
    """Measured size and budget of what is too large."""
    assert sizes.keys() == budgets.keys()
    return {name: (sizes[name], most) for name, most in budgets.items() if sizes[name] > most}


def test_no_room_is_over_its_budget():
    assert not over(rooms(), BUDGETS["rooms"])


def test_nothing_is_over_its_budget():
    assert not over(measured(), BUDGETS["sizes"])


def test_the_tests_are_no_larger_than_the_library():
    assert nodes(*python("tests")) <= nodes(*python("tf_models"))


@pytest.mark.parametrize("module", BUDGETS["closures"])
def test_a_command_reaches_no_more_than_its_budget(module):
    assert len(closure(module)) <= BUDGETS["closures"][module]


def test_a_closure_follows_imports():
    assert closure("ids") == [ROOT / "tf_models/ids.py"]
    assert {path.stem for path in closure("transformer.model")} >= {"layers", "attention", "ids"}


def test_neither_long_lines_nor_tuples_make_code_smaller(tmp_path):
    def size(code):
        (tmp_path / "code.py").write_text(code)
        return nodes(tmp_path / "code.py")

    plain = size("a = 1\nb = 2\n")
    assert size("a = 1; b = 2  # and why\n") == plain < size("a, b = 1, 2\n")
