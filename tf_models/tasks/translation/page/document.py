"""The HTML document: data, script, style, and a policy that allows nothing else.

The script is joined of the modules in `web/`, without a build tool. A module may say
`import { a, b } from "./other.js";` at the beginning of a line, and `export` before a function, a
class or a const. Each becomes a function that runs once and returns what it exports.
"""

import base64
import hashlib
import json
import re
from html import escape
from pathlib import Path
from string import Template
from typing import Any

WEB = Path(__file__).with_name("web")
_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w-]+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:(?:async )?function\*?|class|const) (\w+))", re.MULTILINE)


def make_document(title: str, data: dict[str, Any]) -> str:
    """One HTML file that loads nothing: everything is in it.

    Args:
        data: what the script reads; any JSON.
    """
    script = join_modules("main")
    style = (WEB / "page.css").read_text(encoding="utf-8")
    if "</script" in script.lower() or "</style" in style.lower():
        raise ValueError("an end tag within script or style would end it")
    template = Template((WEB / "page.html").read_text(encoding="utf-8"))
    return template.substitute(
        policy=escape(content_security_policy(script, style)),
        title=escape(title),
        style=style,
        data=json_in_html(data),
        script=script,
    )


def content_security_policy(script: str, style: str) -> str:
    """Allow this very script, also as a Worker, this very style, pictures that the page makes,
    WebAssembly (web/products.js), and no more.
    """
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src {_hash(script)} 'wasm-unsafe-eval'",
            "worker-src blob:",
            f"style-src {_hash(style)}",
            "img-src data: blob:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def json_in_html(data: Any) -> str:
    """JSON that cannot end the element it stands in, whatever the sentences say."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


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
    body = _IMPORT.sub(lambda found: f"const {{{found[1]}}} = module_{found[2]};\n", source)
    exported = ", ".join(_EXPORT.findall(source))
    body = _EXPORT.sub("", body)
    joined[name] = f"const module_{name} = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();\n"
