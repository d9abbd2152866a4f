"""The HTML document: data, script, style, and a policy that allows nothing else."""

import base64
import hashlib
import json
from html import escape
from string import Template
from typing import Any

from tf_models.tasks.translation.page.modules import WEB, join_modules


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
    """Allow this very script and this very style, pictures that the page makes, and no more."""
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src {_hash(script)}",
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
