"""The translator of the package, on sentences that it was not trained on."""

import json

import pytest

from tf_models.data.annotated import UNSEEN, embedded_file, read_annotated
from tf_models.translation.evaluate import right_of_kinds
from tf_models.translation.settings import RUN_DIR, preset
from tf_models.translation.train import UNSEEN_NAMES
from tf_models.translation.translate import ready_made

COUNT = 300  # of the test pairs of the embedded corpus that it was trained on


@pytest.fixture(scope="module")
def pairs():
    everyday = read_annotated(embedded_file("everyday"))[1]
    return [pair for pair in everyday if pair.split == "test"][:COUNT]


@pytest.fixture(scope="module")
def translations(pairs):
    return [best.text for (best, *_) in ready_made().translate([pair.source for pair in pairs])]


def test_it_knows_its_words():
    translator = ready_made()
    ((known,),) = translator.translate(["The old dog sleeps."])

    assert known.text == "Der alte Hund schläft."
    assert translator.unknown_words("The old dog's 7:30 café.") == []
    assert translator.unknown_words("The statue is petrified.") == ["petrified"]
    for sentence in UNSEEN_NAMES:
        assert len(translator.unknown_words(sentence)) >= 2


def test_it_has_the_articles_architecture():
    model, article = json.loads((RUN_DIR / "config.json").read_text())["model"], preset("article")
    for name in ("num_layers", "num_heads", "d_model", "dff"):
        assert model[name] == getattr(article.model, name)


@pytest.mark.slow
def test_nearly_all_are_right(pairs, translations):
    references = [pair.target for pair in pairs]
    right = [a == b for a, b in zip(translations, references, strict=True)]
    assert sum(right) >= 0.9 * len(right)


@pytest.mark.slow
def test_what_the_corpus_measures(pairs, translations):
    annotated = {pair.source: pair for pair in pairs}
    for kind, (share, count) in right_of_kinds([*annotated], translations, annotated).items():
        assert count >= 15
        assert share >= (80 if kind == UNSEEN else 98)
