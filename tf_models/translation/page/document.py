"""The HTML document: data, script and style; its policy (web/page.html) lets it load nothing.

The script is joined of the modules in `web/`, without a build tool. A module may say
`import { a, b } from "./other.js";` at the beginning of a line, and `export` before a function, a
class or a const. Each becomes a function that runs once and returns what it exports.
"""

import json
import re
from html import escape
from pathlib import Path
from string import Template
from typing import Any

WEB = Path(__file__).with_name("web")
_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w-]+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:(?:async )?function|class|const) (\w+))", re.MULTILINE)


def make_document(title: str, data: dict[str, Any]) -> str:
    """One HTML file that loads nothing: everything is in it.

    Args:
        data: what the script reads; any JSON.
    """
    return Template((WEB / "page.html").read_text(encoding="utf-8")).substitute(
        title=escape(title),
        style=(WEB / "page.css").read_text(encoding="utf-8"),
        data=json_in_html(data),
        script=join_modules("main"),
    )


def json_in_html(data: Any) -> str:
    """JSON that cannot end the element it stands in, whatever the sentences say."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def join_modules(first: str, folder: Path = WEB) -> str:
    """The script of the module `first` and of all that it imports, each once."""
    joined: dict[str, str] = {}
    _join(first, folder, joined)
    return '"use strict";\n' + "".join(joined.values())


def _join(name: str, folder: Path, joined: dict[str, str]) -> None:
    if name in joined:
        return
    source = (folder / f"{name}.js").read_text(encoding="utf-8")
    for _, imported in _IMPORT.findall(source):
        _join(imported, folder, joined)
    body = _IMPORT.sub(lambda found: f"const {{{found[1]}}} = module_{found[2]};\n", source)
    exported = ", ".join(_EXPORT.findall(source))
    body = _EXPORT.sub("", body)
    joined[name] = f"const module_{name} = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();\n"
