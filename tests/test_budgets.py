"""The budgets of `[tool.budgets]` in pyproject.toml. Each is only ever lowered."""

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


def statements(folder: str) -> int:
    """Statements, docstrings left out."""
    trees = [ast.parse(text(path)) for path in committed(folder, ".py")]
    return sum(
        isinstance(node, ast.stmt)
        and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for tree in trees
        for node in ast.walk(tree)
    )


def words(*paths: Path) -> int:
    return sum(len(text(path).split()) for path in paths)


def closure(module: str) -> tuple[int, int]:
    """Files and lines that a module reaches by its imports; an empty __init__ does not count."""
    graph = import_graph(ROOT / "tf_models")
    found, left = set(), [module]
    while left:
        if (name := left.pop()) not in found:
            found.add(name)
            left += graph[name]
    files = [ROOT / "tf_models" / f"{name.replace('.', '/')}.py" for name in found if name]
    files = [path for path in files if path.is_file()]
    return len(files), sum(text(path).count("\n") for path in files)


def measured() -> dict[str, int]:
    docs = committed("docs", ".md")
    return {
        "tf_models lines": lines("tf_models", ".py"),
        "tf_models statements": statements("tf_models"),
        "tf_models files": len(committed("tf_models", ".py")),
        "tests lines": lines("tests", ".py"),
        "research lines": lines("research", ".py", ".tsv", ".toml", ".md"),
        "page JavaScript lines": lines(PAGE, ".js"),
        "page CSS lines": lines(PAGE, ".css"),
        "scripts": len(committed("scripts", ".py")),
        "docs words": words(*docs),
        "docs pages": len(docs),
        "README words": words(ROOT / "README.md"),
    }


def rooms() -> dict[str, int]:
    """Lines of Python in each folder of tf_models, and in the files beside the folders."""
    sizes = {folder: lines(f"tf_models/{folder}", ".py") for folder in FOLDERS}
    return {**sizes, "files": lines("tf_models", ".py") - sum(sizes.values())}


def test_no_room_is_over_its_budget():
    sizes = rooms()
    assert sizes.keys() == BUDGETS["rooms"].keys()
    over = {n: (sizes[n], most) for n, most in BUDGETS["rooms"].items() if sizes[n] > most}
    assert not over, "lower what is measured, not the budget: (measured, budget)"


def test_nothing_is_over_its_budget():
    sizes = measured()
    assert sizes.keys() == BUDGETS["sizes"].keys()
    over = {n: (sizes[n], most) for n, most in BUDGETS["sizes"].items() if sizes[n] > most}
    assert not over, "lower what is measured, not the budget: (measured, budget)"


@pytest.mark.parametrize("module", BUDGETS["closures"])
def test_a_command_reaches_no_more_than_its_budget(module):
    most_files, most_lines = BUDGETS["closures"][module]
    files, size = closure(module)
    assert files <= most_files
    assert size <= most_lines


def test_a_closure_follows_imports():
    files, size = closure("ids")
    assert (files, size) == (1, text(ROOT / "tf_models/ids.py").count("\n"))
    assert closure("transformer.model")[0] > files
