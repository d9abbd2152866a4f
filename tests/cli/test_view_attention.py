import json
import re

import pytest

SENTENCE = "The dog sees the fox."


@pytest.fixture
def view(run_dir, call, tmp_path):
    """view("--target", …): the command with a page to write, and the page's data."""

    def run(*options):
        page = tmp_path / "page.html"
        result = call("view_attention", "--run-dir", run_dir, "--output", page, *options)
        if result.status:
            return result, None
        html = page.read_text(encoding="utf-8")
        return result, json.loads(re.search(r'id="data">(.*?)</script>', html)[1])

    return run


def test_a_page(view, tmp_path):
    result, data = view("--sentence", SENTENCE, "The bear hears the wolf.")

    assert result.out.strip() == str(tmp_path / "page.html")
    assert [s["source"] for s in data["sentences"]] == [SENTENCE, "The bear hears the wolf."]
    assert data["weights"]["data"]
    assert data["sentences"][0]["target"] is None


def test_a_given_target(view):
    _, data = view("--sentence", SENTENCE, "--target", "Der Hund hört den Bär.")

    assert data["sentences"][0]["target"] == "Der Hund hört den Bär."
    assert data["sentences"][0]["text"] == "Der Hund hört den Bär."
