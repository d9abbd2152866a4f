"""Docstrings as mkdocstrings reads them: Griffe's headings, where this project has its own.

A docstring of this project says of each field of a class

    name: what it is, over
    as many lines as it takes.

without a heading above, where Griffe wants "Attributes:". It has one example, Griffe "Examples:".
"""

import re
import textwrap

import griffe

FIELD = re.compile(r"[a-z]\w*(, [a-z]\w*)*: ")


class Headings(griffe.Extension):
    """Puts Griffe's headings into the docstrings of all that is documented."""

    def on_object(self, *, obj: griffe.Object, **kwargs) -> None:
        if obj.docstring:
            obj.docstring.value = obj.docstring.value.replace("\nExample:\n", "\nExamples:\n")
            if obj.is_class:
                obj.docstring.value = with_headings(obj.docstring.value)


def with_headings(docstring: str) -> str:
    """The docstring, with "Attributes:" above each paragraph of fields."""
    paragraphs = docstring.split("\n\n")
    return "\n\n".join(with_heading(one) if FIELD.match(one) else one for one in paragraphs)


def with_heading(paragraph: str) -> str:
    """The fields below a heading; a line that begins no field goes on with the one above it."""
    lines = [
        line if FIELD.match(line) else f"    {line.strip()}" for line in paragraph.splitlines()
    ]
    return "Attributes:\n" + textwrap.indent("\n".join(lines), "    ")
