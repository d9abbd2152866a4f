"""What README and docs/ say of an output is what comes out today."""

import re

import numpy as np
import pytest
from PIL import Image

from research.heads.report import pair_table, pronoun_table
from tests.docs.conftest import ROOT
from tf_models.data.annotated import IT_STANDS_FOR
from tf_models.translation.attention import attention_maps
from tf_models.translation.translate import ready_made

PAGES = (ROOT / "README.md", ROOT / "notebooks" / "README.md", *ROOT.glob("docs/*.md"))
TEXTS = [page.read_text(encoding="utf-8") for page in PAGES]
QUOTES = (  # "The dog sleeps." becomes *Der Hund schläft.*; or both alone in a block
    re.compile(r'"([^"\n]+)"`? becomes \*([^*\n]+)\*'),
    re.compile(r"^```text\n([A-Z][^\n]+[.?!])\n([A-Z][^\n]+[.?!])\n```$", re.MULTILINE),
)
BLOCK = re.compile(r"^```text\n(.+?)\n```$", re.MULTILINE | re.DOTALL)
RESEMBLES = 0.0005  # share of pixels that may differ: digits rounded in another way


def test_quoted_translations_are_those_of_the_ready_made_translator():
    quoted = {pair for text in TEXTS for quote in QUOTES for pair in quote.findall(text)}
    assert len(quoted) > 1
    found = ready_made().translate([english for english, _ in quoted])
    written = {(english, best[0].text) for (english, _), best in zip(quoted, found, strict=True)}
    assert quoted == written


def test_the_head_of_the_pictures_resolves_it(make_images):
    translator, head = ready_made(), make_images.head_of_it()
    for sentence, noun in IT_STANDS_FOR.items():
        maps = attention_maps(translator, sentence, kind=head.kind, words=True)
        weights = maps.weights[int(head.layer) - 1, int(head.number) - 1]
        row = next(i for i, word in enumerate(maps.rows) if word in ("it", "es", "sie"))
        assert weights[row, maps.columns.index(noun)] > 0.5, (str(head), noun)


@pytest.mark.parametrize("table", [pronoun_table, pytest.param(pair_table, marks=pytest.mark.slow)])
def test_the_tables_of_it_are_what_their_command_prints(table):
    printed = "\n".join(table(ready_made(), "everyday"))
    shown = BLOCK.findall((ROOT / "docs/heads.md").read_text(encoding="utf-8"))
    assert any(map(printed.startswith, shown))  # the page shows its beginning, or all of it


def test_written_pages_are_of_today(make_images):
    read = (page.read_text(encoding="utf-8") for page in (make_images.GALLERY, make_images.HEADS))
    assert [*read] == [make_images.gallery(), make_images.heads_page()], "run docs/make_images.py"


@pytest.mark.slow
def test_pictures_are_what_todays_code_draws(make_images, tmp_path):
    still = [name for name in make_images.PICTURES if make_images.PICTURES[name].suffix == ".png"]
    differ = []
    for name in still:
        make_images.draw(name, tmp_path)
        drawn, stored = (
            np.asarray(Image.open(folder / f"{name}.png").convert("L"), float)
            for folder in (tmp_path, make_images.IMAGES)
        )
        if drawn.shape != stored.shape or (np.abs(drawn - stored) > 50).mean() > RESEMBLES:
            differ.append(name)
    assert not differ, "run docs/make_images.py"
