from types import SimpleNamespace

import numpy as np
import pytest

from research.heads import report
from research.heads.interventions import KINDS
from research.heads.measurement import (
    ALL,
    COLUMNS,
    DIAGONAL,
    NONE,
    RANDOM,
    UNTRAINED,
    HeadMeasurement,
    check_has_heads,
    measure_heads,
)
from tf_models.errors import InputError
from tf_models.translation.settings import TranslatorSettings


@pytest.fixture(scope="module")
def measured(translator, settings, sentences):
    return measure_heads(translator, TranslatorSettings(model=settings), sentences)


def test_a_row_for_each_head_and_what_stands_beside_it(measured):
    heads = [(row["kind"], row["layer"], row["head"]) for row in measured.heads()]
    assert heads == [(kind, 1, number) for kind in KINDS for number in (1, 2)]
    for kind in KINDS:
        for name in (RANDOM, UNTRAINED, DIAGONAL):
            assert measured.baseline(name, kind)["entropy"] is not None
        assert measured.baseline(ALL, kind)["choice_noun_masked"] is not None
    assert measured.baseline(ALL)["choice_noun_masked"] is not None
    assert measured.baseline(UNTRAINED)["choice_ablated"] is not None
    assert measured.baseline(NONE)["bleu_ablated"] is not None
    assert (measured.sentences, measured.pronouns) == (3, 2)
    with pytest.raises(KeyError):
        measured.baseline(DIAGONAL)


def test_every_head_has_every_number_that_there_is(measured):
    for row in measured.heads():
        assert tuple(row) == COLUMNS
        missing = {name for name, value in row.items() if value is None}
        of_kind = {
            "encoder": {"alignment_error_rate", "noun_of_adjective"},
            "decoder": {"alignment_error_rate", "noun_of_adjective", "subject_of_verb"},
            "cross": {"itself", "previous", "noun_of_adjective", "subject_of_verb"},
        }[row["kind"]]
        of_meaning = {
            "pronouns_by_meaning_ablated",
            "pronouns_by_meaning_alone",
        }  # no such sentence
        assert missing == of_kind | of_meaning


def test_the_model_is_what_it_was(measured, translator, settings, sentences):
    before = [weight.numpy() for weight in translator.model.network.weights]
    again = measure_heads(translator, TranslatorSettings(model=settings), sentences)
    for weight, value in zip(translator.model.network.weights, before, strict=True):
        np.testing.assert_array_equal(weight.numpy(), value)
    assert again.as_csv() == measured.as_csv()  # the same seed


def test_tables_name_every_row(measured):
    lines = report.tables(measured)
    for name in (
        "encoder 1.2",
        "cross untrained",
        "nothing ablated",
        "all heads",
        "cross, all heads",
    ):
        assert any(line.startswith(name) for line in lines), name
    widths = {len(line) for line in lines if line.startswith(("cross 1.1", "decoder 1.2"))}
    assert len(widths) == 3  # three tables, each with its columns below each other


def test_points_are_what_is_lost(measured):
    figure = report.effects_figure(measured)
    whole, (first, *_) = measured.baseline(NONE), measured.heads()
    left, right = figure.axes
    point = (first["noun_of_it"], whole["choice_ablated"] - first["choice_ablated"])
    assert point in [tuple(xy) for xy in left.lines[1].get_xydata()]
    point = (first["noun_of_it"], whole["choice_ablated"] - first["choice_noun_masked"])
    assert point in [tuple(xy) for xy in right.lines[1].get_xydata()]


def test_without_pronouns_there_is_no_such_figure(translator, settings, sentences, tmp_path):
    found = measure_heads(translator, TranslatorSettings(model=settings), sentences[1:2])
    assert found.pronouns == 0
    assert found.heads()[0]["bleu_ablated"] is not None
    assert report.effects_figure(found) is None
    assert report.save(found, tmp_path) == [tmp_path / "heads.csv"]
    text = (tmp_path / "heads.csv").read_text("utf-8")
    assert text.splitlines()[0].split(",") == [*COLUMNS]
    assert text == found.as_csv()


def test_a_model_without_heads():
    with pytest.raises(InputError, match="--run-dir needs the article"):
        check_has_heads(SimpleNamespace(model=SimpleNamespace(network=None)))


def test_shown_numbers_are_not_minus_zero():
    row = {**dict.fromkeys(COLUMNS), "kind": "encoder", "layer": 1, "head": 1, "entropy": -1e-9}
    lines = report.tables(HeadMeasurement([row], 1, 0))
    assert "  0.00" in lines[-1]
    assert "-0.00" not in lines[-1]
