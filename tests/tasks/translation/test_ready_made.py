"""The translator of the package, on sentences that it was not trained on."""

import json
import pickletools
from pathlib import Path

import pytest

from tf_models.data.embedded.annotated_pairs import read_annotated
from tf_models.data.embedded.metrics import metrics
from tf_models.tasks.translation.ready_made import RUN_DIR, ready_made

# The first 300 pairs of the test split of the corpus that it was trained on.
SAMPLE = Path(__file__).with_name("ready_made_test.tsv")


@pytest.fixture(scope="module")
def pairs():
    return read_annotated(SAMPLE)[1]


@pytest.fixture(scope="module")
def translations(pairs):
    return [best.text for (best, *_) in ready_made().translate([pair.source for pair in pairs])]


def test_it_is_small_and_has_no_pickle():
    files = [path for path in RUN_DIR.rglob("*") if path.is_file()]

    assert sum(path.stat().st_size for path in files) <= 8_200_000
    for path in files:
        with pytest.raises(ValueError, match="unknown|exhausted|no newline|can't decode"):
            list(pickletools.genops(path.read_bytes()))


def test_it_knows_its_words():
    (known,), (unknown,) = ready_made().translate(
        ["The old dog sleeps.", "The statue is petrified."]
    )

    assert str(known.remarks) == ""
    assert known.text == "Der alte Hund schläft."
    assert "petrified" in unknown.remarks.unknown_words


def test_how_it_was_trained_is_written_down():
    config = json.loads((RUN_DIR / "config.json").read_text())

    assert config["data"]["corpus"] == "everyday"
    assert config["data"]["training_pairs"] == 1_100_000


def test_nearly_all_are_right(pairs, translations):
    references = [pair.target for pair in pairs]
    right = [a == b for a, b in zip(translations, references, strict=True)]
    assert sum(right) >= 0.93 * len(right)


def test_what_the_corpus_measures(pairs, translations):
    texts = [pair.source for pair in pairs], translations, [pair.target for pair in pairs]
    for metric in metrics(pairs):
        share, count = metric.compute(*texts)
        assert count >= 15
        assert share >= 0.95
