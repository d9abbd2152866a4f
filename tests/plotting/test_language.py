import string

import numpy as np
import pytest

from tf_models.errors import InputError
from tf_models.plotting import language
from tf_models.plotting.codes import plot_codes
from tf_models.plotting.language import (
    LANGUAGES,
    check_language,
    in_language,
    number_in_language,
    written_number,
)
from tf_models.plotting.latent_space import plot_latent_space
from tf_models.plotting.lines import plot_lines
from tf_models.plotting.training_curves import METRICS, plot_training_curves

HISTORY = {"loss": [0.75, 0.5, 0.25], "val_loss": [0.75, 0.5, 0.5]}
LINE = {"a.b": ([0.0, 0.5, 1.0], [0.0, 0.25, 0.5])}
CODES = np.array([[0.0, 0.5], [1.0, 0.25]])
FIGURES = {
    "curves": lambda **options: plot_training_curves(HISTORY, **options),
    "codes": lambda **options: plot_codes(CODES, ["a", "b"], title="t", **options),
    "lines": lambda **options: plot_lines(LINE, axis_names=("x", "y"), **options),
    "latent space": lambda **options: plot_latent_space(CODES, **options),
}


@pytest.mark.parametrize("words", language._GERMAN_WORDS)
def test_both_languages_name_the_same_parts(words):
    german = language._GERMAN_WORDS[words]
    one, other = (
        sorted(name for _, name, _, _ in string.Formatter().parse(text) if name is not None)
        for text in (words, german)
    )
    assert one == other


def test_what_a_figure_says():
    assert in_language("area {area}", "en", area=0.5) == "area 0.5"
    assert in_language("area {area}", "de", area="0,5") == "Fläche 0,5"
    assert [in_language("epoch", one) for one in LANGUAGES] == ["epoch", "Epoche"]


@pytest.mark.parametrize("one", LANGUAGES)
def test_words_that_nobody_translated(one):
    with pytest.raises(KeyError, match="abc"):
        in_language("abc", one)


@pytest.mark.parametrize(
    ("value", "form", "german"),
    [(0.5, ".2f", "0,50"), (-3, "+d", "-3"), (0.3, ".0%", "30\xa0%"), (1234.5, ",.1f", "1.234,5")],
)
def test_numbers(value, form, german):
    assert number_in_language(value, form, "en") == format(value, form)
    assert number_in_language(value, form, "de") == german


@pytest.mark.parametrize(
    "call",
    [
        check_language,
        lambda one: in_language("epoch", one),
        lambda one: number_in_language(1.0, "g", one),
        lambda one: written_number("1.0", one),
        *(lambda one, draw=draw: draw(language=one) for draw in FIGURES.values()),
    ],
)
def test_another_language(call):
    with pytest.raises(InputError, match="one of en, de; received language 'fr'"):
        call("fr")


def test_every_metric_has_its_words():
    for name in METRICS.values():
        assert in_language(name, "en") == name
        assert in_language(name, "de")


def test_curves_in_german(drawn_texts):
    texts = {text for text, _ in drawn_texts(plot_training_curves(HISTORY, language="de"))}
    assert {"Training", "Validierung", "Epoche", "Verlust"} <= texts
    assert not {"training", "validation", "epoch", "loss"} & texts
    titled = plot_training_curves(HISTORY, title="Titel", language="de")
    assert "Titel" in {text for text, _ in drawn_texts(titled)}


def numbers_of(texts):
    return {text for text, _ in texts if text[:1].isdigit() and not text.isdigit()}


@pytest.mark.parametrize("name", FIGURES)
def test_decimal_commas(name, drawn_texts):
    english, german = (numbers_of(drawn_texts(FIGURES[name](language=one))) for one in LANGUAGES)
    assert english
    assert {number.replace(".", ",") for number in english} == german


def test_what_the_caller_says_stays(drawn_texts):
    texts = {text for text, _ in drawn_texts(FIGURES["lines"](language="de"))}
    assert {"a.b", "x", "y"} <= texts


def test_shades_in_german(drawn_texts):
    figure = plot_codes(np.linspace(-2, 5.5, 40).reshape(1, 40), ["a"], title="t", language="de")
    assert "t, -2 (hell) bis 5,5" in {text for text, _ in drawn_texts(figure)}
