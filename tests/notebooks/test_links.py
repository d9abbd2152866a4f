"""Links of the notebooks lead to headings and files that are there."""

import re

import jupytext
import pytest

from notebooks.build import FOLDER, sources

SOURCES = sources([])
ARTICLES = (
    "How to make a toy English-German translator",
    "Multi-head attention mechanism",
    "The Illustrated Transformer:",
    "The Illustrated Transformer(翻译)",
    "Variational Autoencoders",
    "Einführung in die Welt der Autoencoder",
    "ML Lecture 7, autoencoders",
    "ML Lecture 7, attention and Transformers",
)
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


def test_each_article_has_its_first_cell_a_click_from_the_start(headings):
    start = prose(SOURCES[0]).split("## Your article\n")[1].split("\n## ")[0]
    items = re.split(r"^- ", start, flags=re.MULTILINE)[1:]
    for article, item in zip(ARTICLES, items, strict=True):
        assert item.startswith(article)
        ((path, heading),) = LINK.findall(item.split("\n\n")[0])
        assert heading in headings[path]
