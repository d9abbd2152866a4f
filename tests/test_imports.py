"""Imports run one way: tasks, then engine and families, then layers, then what everyone may use."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BASE = {"errors", "ids", "files", "runtime", "home"}
FAMILIES = {"transformer", "recurrent", "autoencoders", "autoregressive"}
ENGINES = {"training", "search", "plotting", "data"}
# What each part of the package may import, itself and BASE apart.
ALLOWED = {
    **dict.fromkeys(BASE, set()),
    "layers": set(),
    **dict.fromkeys(FAMILIES, {"layers"}),
    **dict.fromkeys(("data", "search", "plotting", "training"), set()),
    "command_line": {"training"},  # settings, which make options
    "tasks": {"layers", "command_line", *FAMILIES, *ENGINES},
}
FILES = sorted((ROOT / "tf_models").rglob("*.py"))


def imported(path):
    """Modules of the project that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_run_one_way(path):
    own = path.relative_to(ROOT).with_suffix("").parts[1:]
    for module in imported(path):
        package, _, name = module.partition(".")
        assert package not in ("scripts", "benchmarks", "tests"), module
        if package != "tf_models" or own == ("__init__",):
            continue
        part, *inner = name.split(".")
        if part == own[0]:
            same_task = part != "tasks" or inner[0] == own[1]
            assert same_task, f"a task imports another one: {module}"
        else:
            assert part in BASE | ALLOWED[own[0]], f"{own[0]} imports {module}"


@pytest.mark.parametrize("script", sorted((ROOT / "scripts").glob("*.py")), ids=lambda p: p.stem)
def test_no_script_imports_a_script(script):
    scripts = {path.stem for path in script.parent.glob("*.py")}
    assert not {module.split(".")[0] for module in imported(script)} & scripts


def test_keras_names_are_unique():
    """Keras registers a class by package and name, and a second one replaces the first."""
    names = []
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for call in getattr(node, "decorator_list", ()):
                if "register_keras_serializable" in ast.unparse(call):
                    package = next(k.value.value for k in call.keywords if k.arg == "package")
                    names.append(f"{package}>{node.name}")
    assert len(names) > 20
    assert len(set(names)) == len(names)
