"""A notebook with its outputs as a page of Markdown, and its pictures."""

import base64
import json
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

# GitHub begins a list below a line of text; Markdown's own rules want an empty line between them.
LIST_BELOW_TEXT = re.compile(r"^((?![-*|>#]|\d+\. | |\s*$).+\n)(?=(?:[-*]|1\.) )", re.MULTILINE)
PNG = "image/png"
PYTHON = "```python\n{}\n```"
OUTPUT = "``` {{ .text .output }}\n{}\n```"
SET_UP = '<details markdown="1" class="set-up"><summary>Set-up</summary>\n\n{}\n\n</details>'


def as_markdown(path: Path) -> str:
    """All cells of a notebook; its first cell of code, the same in all notebooks, is folded."""
    cells, folded = [], False
    for number, cell in enumerate(read(path)):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            cells.append(text(source))
            continue
        code = PYTHON.format(source)
        cells.append(code if folded else SET_UP.format(code))
        folded = True
        cells += outputs(cell, f"{path.stem}/{number}")
    return "\n\n".join(cells) + "\n"


def read(path: Path) -> list[dict]:
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def text(source: str) -> str:
    """The text of a cell: Markdown inside <details> counts, and lists may begin below a line."""
    source = source.replace("<details>", '<details markdown="1">')
    return LIST_BELOW_TEXT.sub(r"\1\n", source)


def outputs(cell: dict, name: str) -> Iterator[str]:
    """What a cell has printed, and links to the pictures that it has drawn."""
    for drawn, group in groupby(enumerate(cell["outputs"]), key=lambda one: is_picture(one[1])):
        if drawn:
            yield from (f"![What the cell draws]({name}-{number}.png)" for number, _ in group)
        else:
            yield OUTPUT.format("".join(line for _, one in group for line in printed(one)).rstrip())


def is_picture(output: dict) -> bool:
    return PNG in output.get("data", {})


def printed(output: dict) -> list[str]:
    return output.get("text") or output["data"]["text/plain"]


def pictures(path: Path) -> dict[str, bytes]:
    """The pictures of a notebook, by their path beside it."""
    return {
        f"{path.stem}/{number}-{of_cell}.png": base64.b64decode(output["data"][PNG])
        for number, cell in enumerate(read(path))
        for of_cell, output in enumerate(cell.get("outputs", []))
        if is_picture(output)
    }


def slug(heading: str, separator: str) -> str:
    """The anchor that Jupyter gives a heading."""
    return heading.strip().replace(" ", separator)
