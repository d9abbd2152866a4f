import pytest

from tf_models.errors import InputError
from tf_models.plotting.registry import FigureRegistry, Need, check_number


def draw_sum(number, *, more=1):
    return number + more


def draw_half_of_it(number):
    return number // 2


FIGURES = FigureRegistry(
    "a number",
    {"sum": "what it makes", "half-of-it": "its half"},
    __name__,
    needs={"half-of-it": Need(lambda number: number % 2 == 0, "an even one")},
)


def test_defaults_and_what_was_given_in_their_place():
    assert FIGURES.draw("sum", 2) == 3
    assert FIGURES.draw("sum", 2, more=5, less=None) == 7  # None was not given


def test_what_does_not_apply_is_refused_and_the_others_are_named():
    assert FIGURES.names_for(2) == ["sum", "half-of-it"]
    assert FIGURES.names_for(3) == ["sum"]
    with pytest.raises(InputError, match="--figure half-of-it needs an even one; this run has sum"):
        FIGURES.draw("half-of-it", 3)
    with pytest.raises(InputError, match="--figure must be one of sum, half-of-it; received third"):
        FIGURES.draw("third", 2)
    with pytest.raises(InputError, match="--figure half-of-it has no --more"):
        FIGURES.draw("half-of-it", 2, more=1)


def test_a_figures_options_are_the_keywords_of_its_function():
    assert FIGURES.options_of("sum") == ["more"]
    assert FIGURES.options_of("half-of-it") == []


def test_each_figure_is_listed_with_what_it_shows():
    assert [line.split()[0] for line in FIGURES.describe().splitlines()] == ["sum", "half-of-it"]
    assert "its half" in FIGURES.describe()


@pytest.mark.parametrize("given", ["9" * 5000, 0, 5, "all", "-1", "1.5"])
def test_numbers_from_one(given):
    assert check_number("--layer", None, 4) == 4
    assert check_number("--layer", "2", 4) == check_number("--layer", 2, 4) == 2
    with pytest.raises(InputError, match=f"--layer must be 1 to 4 or all; received {given}"):
        check_number("--layer", given, 4, also=" or all")
