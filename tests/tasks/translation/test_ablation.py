from types import SimpleNamespace

import pytest

from tf_models.errors import InputError
from tf_models.tasks.translation import evaluation
from tf_models.tasks.translation.ablation import INGREDIENTS, WHOLE, ablations, measure_trial
from tf_models.tasks.translation.presets import preset


def test_an_ingredient_is_as_the_article_has_it_and_all_else_stays():
    best, article = preset("best").flat(), preset("article").flat()

    found = ablations(preset("best"))

    assert set(found) == set(INGREDIENTS)
    for ingredient, settings in found.items():
        expected = {**best, **{name: article[name] for name in INGREDIENTS[ingredient]}}
        assert settings.flat() == expected != best


def test_those_asked_for():
    best = preset("best")
    found = ablations(best, ["dropout", "joint BPE"])

    assert list(found) == ["dropout", "joint BPE"]
    assert found["dropout"] == best.changed(dropout=0.1)
    assert found["joint BPE"] == best.changed(joint=False, tie_embeddings=False)


def test_an_unknown_ingredient():
    with pytest.raises(InputError, match="must be one of dropout, .*; received salt"):
        ablations(preset("best"), ["salt"])
    assert ablations(preset("article")) == {}


def test_how_each_row_is_decoded(monkeypatch, tmp_path):
    """BLEU is made up: of a good beam, a better average, and both; the best epoch flatters."""

    def bleu(trials, found):
        of_checkpoint = {"latest": 0, "average": 10, "best": 100}
        return of_checkpoint[found.checkpoint] + found.beam_size

    monkeypatch.setattr(evaluation.DecodingTrials, "bleu", bleu)
    corpus = SimpleNamespace(validation=[])

    def rows(name, averaged, beam_size):
        settings = preset("best").changed(averaged=averaged, beam_size=beam_size)
        return measure_trial(name, tmp_path, corpus, settings, report=lambda line: None)

    assert rows(WHOLE, 10, 5) == {WHOLE: 15, "without averaging": 5, "without beam search": 11}
    assert rows("without dropout", 10, 5) == {"without dropout": 15}
    assert rows(WHOLE, 0, 1) == {WHOLE: 1}
