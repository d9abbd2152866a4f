"""Translators side by side: settings, figures and the table."""

import math
from types import SimpleNamespace

import pytest
from matplotlib.text import Text

from tf_models.errors import InputError
from tf_models.tasks.translation.comparison import (
    Contender,
    bleu_to_reach,
    check_models,
    contending_settings,
    plot_alignments,
    plot_bleu_by_length,
    table,
)
from tf_models.training.run_comparison import Frontier


def contender(bleu_by_length, frontier, translator=None):
    scores = SimpleNamespace(bleu=50.0, exact_match=25.0, bleu_by_length=bleu_by_length)
    network = SimpleNamespace(count_params=lambda: 1234)
    model = SimpleNamespace(network=network, attention_kinds=())
    translator = translator or SimpleNamespace(model=model)
    return Contender(translator, scores, None, Frontier(*frontier), 5000.0)


@pytest.fixture
def contenders():
    return {
        "good": contender({"1-5": (90.0, 30), "6-10": (80.0, 30)}, ([1.0, 2.0], [40.0, 70.0])),
        "poor": contender({"1-5": (85.0, 30), "6-10": (10.0, 2)}, ([2.0, 4.0], [20.0, 40.6])),
    }


def test_settings_are_changed_as_far_as_a_model_knows_them():
    changes = {"epochs": 3, "units": 7, "num_layers": 1}
    found = contending_settings("toy", ["transformer", "rnn"], changes)
    assert {one.training.epochs for one in found.values()} == {3}
    assert {one.training.patience for one in found.values()} == {3}
    assert found["transformer"].model.num_layers == 1
    assert found["rnn"].model.units == 7


def test_the_bleu_that_all_reached(contenders):
    assert bleu_to_reach(contenders) == 40
    assert contenders["good"].minutes_to(40) == 1.0
    assert contenders["poor"].minutes_to(40) == 4.0
    assert contenders["poor"].minutes_to(50) is None


def test_table_has_a_column_for_each_model(contenders):
    lines = table(contenders)
    assert lines[0].split() == ["good", "poor"]
    assert next(line for line in lines if "minutes to BLEU 40" in line).split()[-2:] == [
        "1.0",
        "4.0",
    ]
    assert lines[-1].split()[-2:] == ["80.0", "10.0"]
    assert len({len(line) for line in lines}) == 1


def test_lengths_with_few_sentences_are_not_drawn(contenders):
    (axes,) = plot_bleu_by_length(contenders).axes
    good, poor = (line.get_xydata().tolist() for line in axes.lines[:2])
    assert good == [[3, 90], [8, 80]]
    assert poor == [[3, 85]]


def test_of_few_test_pairs_the_largest_group_is_drawn():
    few = {"one": contender({"1-5": (50.0, 3), "6-10": (math.nan, 1)}, ([1.0], [1.0]))}
    (axes,) = plot_bleu_by_length(few).axes
    assert axes.lines[0].get_xydata().tolist() == [[3, 50]]


def test_models_without_attention_have_no_alignment(contenders):
    with pytest.raises(InputError, match="none of the models attends"):
        plot_alignments(contenders, "a cat")


def test_alignments_of_a_translator(contenders, translator):
    attends = contender({"1-5": (1.0, 30)}, ([1.0], [1.0]), translator)
    figure = plot_alignments({**contenders, "attends": attends}, "the dog sleeps .", "der Hund")
    texts = {text.get_text() for text in figure.findobj(Text)}
    assert {"attends", "dog", "Hund"} <= texts
    assert "good" not in texts


@pytest.mark.parametrize(
    ("names", "message"),
    [(["rnn"], "two or more"), (["rnn", "rnn"], "two or more"), (["rnn", "lstm"], "'lstm'")],
)
def test_models_that_cannot_be_compared(names, message):
    with pytest.raises(InputError, match=message):
        check_models(names)
