import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.chromium import chromium  # noqa: F401 - a fixture

ROOT = Path(__file__).resolve().parents[1]
FIRST = {  # what one types into the search: the page and the section that it finds first
    "out-of-vocabulary": ("docs/decoding.html", "out-of-vocabulary-words"),
    "fine-tuning": ("docs/training.html", "fine-tuning"),
    "attention sink": ("notebooks/06_attention_maps.html", "Attention-sinks"),
    "resume": ("docs/training.html", "resume-a-training"),
    "KL": ("docs/autoencoders.html", "elbo-and-kl"),
    "nats": ("docs/autoencoders.html", "log-likelihood-in-nats"),
    "own file": ("docs/training.html", "your-own-file"),
    "GPU": ("docs/scale.html", "cores-gpus-machines"),
}

pytestmark = pytest.mark.site


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("mkdocs")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    subprocess.run([*command, "--site-dir", folder], cwd=ROOT, env=quiet, check=True)
    return folder


def test_the_site_builds_strictly_and_has_every_page(site):
    for source in [*ROOT.glob("docs/*.md"), *ROOT.glob("notebooks/*.ipynb")]:
        assert (site / source.relative_to(ROOT).with_suffix(".html")).is_file(), source


def test_a_search_finds_the_right_place_first(site, chromium):  # noqa: F811
    page = chromium.new_page()
    page.set_default_timeout(120_000)  # .ci/run lets other tests go first
    page.goto((site / "index.html").as_uri())
    search = page.locator(".md-search__input")
    search.click()
    for typed, (path, section) in FIRST.items():
        search.clear()
        search.press_sequentially(typed)
        found = f'.md-search-result__item:first-child > a:nth-child(2)[href*="{path}"]'
        page.locator(f'{found}[href$="#{section}"]').wait_for()
    page.close()
