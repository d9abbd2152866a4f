"""Imports run one way and in no circle, those within functions counted."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BASE = ("errors", "ids", "files", "quiet", "backend")
MODELS = ("base", "loss_sums")  # the base of all models
SHARED = (*MODELS, "layers", "losses", "output_layer", "sequence_to_sequence")
FAMILIES = ("transformer", "recurrent", "autoencoders")
ENGINES = ("training", "search", "plotting", "data", "word_attention")
TASKS = ("translation", "autoencoding", "classification", "questions")
# What each part of tf_models may import, itself and BASE apart.
ALLOWED = {
    "": (*SHARED, *FAMILIES, *ENGINES, *TASKS),  # its names
    **dict.fromkeys((*BASE, "search", "data", "word_attention"), ()),
    "plotting": ("word_attention",),
    **dict.fromkeys(SHARED, SHARED),
    **dict.fromkeys(MODELS, MODELS),
    **dict.fromkeys(FAMILIES, SHARED),
    "training": (*MODELS, "data"),  # the images of a run
    **dict.fromkeys(TASKS, (*SHARED, *FAMILIES, *ENGINES)),
    "tutorial": ("losses", "plotting", "transformer", "translation"),
    "cli": (*TASKS, *ENGINES),
    "__main__": ("cli", ""),
}
ABOVE = {"research", "scripts", "notebooks", "tests"}


def modules_in(package: Path) -> dict[str, Path]:
    """Files of a package by the names of their modules, without the package's own name."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).with_suffix("").parts
        found[".".join(part for part in parts if part != "__init__")] = path
    return found


def imports(path: Path) -> Iterator[str]:
    """Full names of what a file imports, wherever in it: a.b.c for "from a.b import c"."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path} has a relative import; name the module in full"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def import_graph(package: Path) -> dict[str, set[str]]:
    """The modules of a package that each of its modules imports."""
    modules = modules_in(package)

    def module_of(name: str) -> str:
        """The module that a full name leads to; it may be a class or a function there."""
        name = name.removeprefix(package.name).removeprefix(".")
        return name if name in modules else name.rpartition(".")[0]

    return {
        module: {module_of(n) for n in imports(path) if n.split(".")[0] == package.name} - {module}
        for module, path in modules.items()
    }


@pytest.fixture(scope="module")
def graph() -> dict[str, set[str]]:
    return import_graph(ROOT / "tf_models")


def part_of(module: str) -> str:
    """The part of tf_models that a module belongs to: an entry of `ALLOWED`."""
    return module.split(".")[0]


def folder_of(module: str) -> str:
    """The folder that a module lies in; a module of tf_models itself stands alone."""
    is_folder = (ROOT / "tf_models" / module.replace(".", "/")).is_dir()
    return module if is_folder else module.rpartition(".")[0] or module


def test_imports_run_one_way(graph):
    for module, others in graph.items():
        own = part_of(module)
        for other in map(part_of, others):
            assert other in {own, *BASE, *ALLOWED[own]}, f"{module} imports {other}"


def test_no_module_or_folder_is_in_a_circle(graph):
    folders = defaultdict(set)
    for module, others in graph.items():
        for other in others:
            folders[folder_of(module)].add(folder_of(other))
    for folder, others in folders.items():
        others.discard(folder)
    for edges in (graph, folders):
        TopologicalSorter(edges).prepare()  # raises CycleError with the circle


def test_nothing_is_imported_from_above():
    for path in (ROOT / "tf_models").rglob("*.py"):
        found = {name.split(".")[0] for name in imports(path)}
        assert not found & ABOVE, f"{path} imports {found & ABOVE}"


def test_no_command_imports_a_command(graph):
    for module, others in graph.items():
        if part_of(module) == "cli":
            found = {other for other in others if part_of(other) == "cli"} - {
                "cli.command_line",
                "cli.translator_arguments",
            }
            assert not found, f"{module} imports {found}"


def test_a_script_only_calls_its_command():
    for path in (ROOT / "scripts").glob("*.py"):
        main = f"tf_models.cli.{path.stem}.main"
        assert set(imports(path)) == {"tf_models.cli.command_line.run", main}, path


def test_keras_names_are_unique():
    """Keras registers a class by package and name, and a second one replaces the first."""
    names = []
    for path in (ROOT / "tf_models").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for call in getattr(node, "decorator_list", ()):
                if "register_keras_serializable" in ast.unparse(call):
                    package = next(k.value.value for k in call.keywords if k.arg == "package")
                    names.append(f"{package}>{node.name}")
    assert len(names) > 20
    assert len(set(names)) == len(names)
