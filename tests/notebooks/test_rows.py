"""notebooks/README.md leads from every row of the articles to a place, and every place is there."""

import re

import jupytext
import pytest

from notebooks.build import FOLDER, sources

ROWS = {*range(1, 111)}
SEEN = (11, 12, 13, 14, 20, 21, 26, 27, 31, 37, 38, 42, 45, 47, 50, 55, 89)  # attention to look at
TABLE = (FOLDER / "README.md").read_text(encoding="utf-8")
LINES = {
    int(number): where
    for number, where in re.findall(r"^\| (\d+) \| .+? \| (.+) \|$", TABLE, re.MULTILINE)
}
LINK = re.compile(r"\]\((\d\d_\w+)\.ipynb#([\w-]+)\)")


@pytest.fixture(scope="module")
def sections():
    """(notebook, heading as a link target) -> the rows whose tags stand below the heading."""
    found = {}
    for source in sources([]):
        place = None
        for cell in jupytext.read(source).cells:
            headings = re.findall(r"^## (.+)$", cell.source, re.MULTILINE)
            if cell.cell_type == "markdown" and headings:
                place = source.stem, headings[-1].strip().replace(" ", "-")
                found[place] = set()
            tags = cell.metadata.get("tags", [])
            found.setdefault(place, set()).update(int(tag.split("-")[1]) for tag in tags)
    return found


def test_every_row_has_a_place():
    assert LINES.keys() == ROWS
    assert all("](" in where or "`python scripts/" in where for where in LINES.values())


def test_every_row_that_is_to_be_seen_has_a_command():
    assert all("`python scripts/" in LINES[row] for row in SEEN)


def test_every_place_shows_the_row(sections):
    wrong = [
        (row, place)
        for row, where in LINES.items()
        for place in LINK.findall(where)
        if row not in sections.get(place, ())
    ]
    assert not wrong


def test_every_section_is_in_the_table(sections):
    missing = [
        (row, place)
        for place, rows in sections.items()
        for row in rows
        if place not in LINK.findall(LINES[row])
    ]
    assert not missing
