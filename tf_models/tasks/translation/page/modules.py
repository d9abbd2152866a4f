"""Joins the page's JavaScript modules into one script, without a build tool.

A module is a file of `web/`. It may say `import { a, b } from "./other.js";` at the beginning of a
line, and `export` before a function, a class or a const. Each becomes a function that runs once and
returns what it exports.
"""

import re
from pathlib import Path

WEB = Path(__file__).with_name("web")
_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w-]+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:(?:async )?function\*?|class|const) (\w+))", re.MULTILINE)


def join_modules(first: str, folder: Path = WEB) -> str:
    """The script of the module `first` and of all that it imports, each once.

    Raises:
        ValueError: modules import each other in a circle.
    """
    joined: dict[str, str] = {}
    _join(first, folder, joined, ())
    return '"use strict";\n' + "".join(joined.values())


def _join(name: str, folder: Path, joined: dict[str, str], importers: tuple[str, ...]) -> None:
    if name in importers:
        raise ValueError(f"modules import each other: {' -> '.join([*importers, name])}")
    if name in joined:
        return
    source = (folder / f"{name}.js").read_text(encoding="utf-8")
    for _, imported in _IMPORT.findall(source):
        _join(imported, folder, joined, (*importers, name))
    body = _IMPORT.sub(lambda found: f"const {{{found[1]}}} = {_variable(found[2])};\n", source)
    exported = ", ".join(_EXPORT.findall(source))
    body = _EXPORT.sub("", body)
    joined[name] = (
        f"const {_variable(name)} = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();\n"
    )


def _variable(module: str) -> str:
    return f"module_{module}"
