"""The reference: a page for each module of the library, in a tree that is its folders'.

mkdocstrings fills the pages, without importing anything.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = "tf_models"
FOLDER = "reference"
GUIDES_FIRST = "---\nsearch:\n  boost: 0.05\n---"  # among what a search finds


def pages(root: Path) -> dict[str, str]:
    """Path on the site -> Markdown of the page."""
    files = [path for path in sorted((root / PACKAGE).rglob("*.py")) if shown(path)]
    modules = {module_of(path.relative_to(root)): path for path in files}
    return {
        page_of(path.relative_to(root)): "\n".join(page(name, modules))
        for name, path in modules.items()
    }


def shown(path: Path) -> bool:
    """Whether a file is a package, or defines what one may look up; commands do not."""
    return path.stem == "__init__" or any(names("", tree_of(path)))


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def module_of(path: Path) -> str:
    """Name of the module in a file: tf_models/search/__init__.py -> tf_models.search."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def page_of(path: Path) -> str:
    """Of a file: tf_models/search/beam.py -> reference/search/beam.md."""
    uri = Path(FOLDER, *path.parts[1:]).with_suffix(".md").as_posix()
    return uri.replace("__init__.md", "index.md")


def page(name: str, modules: dict[str, Path]) -> Iterator[str]:
    """Lines of a module's page; that of a package leads to all that is below it."""
    yield f"{GUIDES_FIRST}\n::: {name}\n"
    for below in [other for other in modules if other.startswith(f"{name}.")]:
        tree = tree_of(modules[below])
        summary = ast.get_docstring(tree).partition("\n")[0]
        if modules[below].stem == "__init__":
            yield f"\n## [{below}][]\n\n{summary}\n"
        else:
            yield f"- [{below}][]: {summary} {', '.join(names(below, tree))}"


def names(module: str, tree: ast.Module) -> Iterator[str]:
    """Links to what the page of a module has: its public classes and functions."""
    defined = [node for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)]
    for node in defined:
        if ast.get_docstring(node) and not node.name.startswith("_"):
            yield f"[`{node.name}`][{module}.{node.name}]"


def nav(uris: list[str], folder: str = FOLDER) -> list:
    """The tree of the pages in a folder: its own page, its folders, its modules."""
    inside = [uri.removeprefix(f"{folder}/") for uri in uris if uri.startswith(f"{folder}/")]
    folders = sorted({uri.partition("/")[0] for uri in inside if "/" in uri})
    files = sorted(uri for uri in inside if "/" not in uri and uri != "index.md")
    return [
        f"{folder}/index.md",
        *({name: nav(uris, f"{folder}/{name}")} for name in folders),
        *({name.removesuffix(".md"): f"{folder}/{name}"} for name in files),
    ]
