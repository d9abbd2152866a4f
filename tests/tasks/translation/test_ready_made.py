"""The translator of the package, on sentences that it was not trained on."""

import json
import pickletools
from pathlib import Path

import pytest

from tf_models.data.grammar.measures import MEASURES
from tf_models.data.text.corpus_files import read_references
from tf_models.tasks.translation.ready_made import RUN_DIR, ready_made

# The first 300 pairs of the test split of the corpus that it was trained on.
SAMPLE = Path(__file__).with_name("ready_made_test.tsv")


@pytest.fixture(scope="module")
def translations():
    """Source -> (translation, reference) of the sample."""
    references = read_references(SAMPLE)
    found = ready_made().translate(list(references))
    return {
        source: (best.text, reference)
        for (source, (reference, *_)), (best, *_) in zip(references.items(), found, strict=True)
    }


def test_it_is_small_and_has_no_pickle():
    files = [path for path in RUN_DIR.rglob("*") if path.is_file()]

    assert sum(path.stat().st_size for path in files) <= 8_000_000
    for path in files:
        with pytest.raises(ValueError, match="unknown|exhausted|no newline|can't decode"):
            list(pickletools.genops(path.read_bytes()))


def test_how_it_was_trained_is_written_down():
    config = json.loads((RUN_DIR / "config.json").read_text())

    assert config["data"]["corpus"] == "toy"
    assert config["data"]["training_pairs"] == 1_100_000


def test_nearly_all_are_right(translations):
    right = [translation == reference for translation, reference in translations.values()]
    assert sum(right) >= 0.93 * len(right)


def test_what_the_corpus_measures(translations):
    sources, hypotheses, references = (
        [*translations],
        [translation for translation, _ in translations.values()],
        [reference for _, reference in translations.values()],
    )
    for measure in MEASURES.values():
        share, count = measure(sources, hypotheses, references)
        assert count >= 15
        assert share >= 0.95
