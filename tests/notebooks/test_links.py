"""Links of the notebooks lead to headings and files that are there."""

import re

import jupytext
import pytest

from notebooks.build import FOLDER, sources

SOURCES = sources([])
LINK = re.compile(r"\]\((\.\./[\w./-]+|\d\d_\w+\.ipynb|README\.md)(?:#([\w-]+))?\)")


def prose(source):
    cells = jupytext.read(source).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


@pytest.fixture(scope="module")
def headings():
    """Notebook -> its headings as link targets."""
    return {
        f"{source.stem}.ipynb": {
            heading.strip().replace(" ", "-")
            for heading in re.findall(r"^##+ (.+)$", prose(source), re.MULTILINE)
        }
        for source in SOURCES
    }


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_links_lead_somewhere(source, headings):
    wrong = [
        (path, heading)
        for path, heading in LINK.findall(prose(source))
        if (heading and heading not in headings[path] if path in headings else not there(path))
    ]
    assert not wrong


def there(path):
    return (FOLDER / path).exists() and not path.endswith(".ipynb")
