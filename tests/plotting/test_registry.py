import pytest

from tf_models.errors import InputError
from tf_models.plotting.registry import FigureEntry, FigureRegistry, check_number

FIGURES = FigureRegistry(
    "a number",
    {
        "sum": FigureEntry("what it makes", lambda: lambda n, *, more: n + more, {"more": 1}),
        "half": FigureEntry(
            "half of it",
            lambda: lambda n: n // 2,
            applies=lambda n: n % 2 == 0,
            needs="an even one",
        ),
    },
)


def test_defaults_and_what_was_given_in_their_place():
    assert FIGURES.draw("sum", 2) == 3
    assert FIGURES.draw("sum", 2, more=5, less=None) == 7  # None was not given


def test_what_does_not_apply_is_refused_and_the_others_are_named():
    assert FIGURES.names_for(2) == ["sum", "half"]
    assert FIGURES.names_for(3) == ["sum"]
    with pytest.raises(InputError, match="--figure half needs an even one; this run has sum"):
        FIGURES.draw("half", 3)
    with pytest.raises(InputError, match="--figure must be one of sum, half; received third"):
        FIGURES.draw("third", 2)
    with pytest.raises(InputError, match="--figure half has no --more"):
        FIGURES.draw("half", 2, more=1)


def test_each_figure_is_listed_with_what_it_shows():
    assert [line.split()[0] for line in FIGURES.describe().splitlines()] == ["sum", "half"]
    assert "half of it" in FIGURES.describe()


@pytest.mark.parametrize("given", [0, 5, "all", "-1", "1.5"])
def test_numbers_from_one(given):
    assert check_number("--layer", None, 4) == 4
    assert check_number("--layer", "2", 4) == check_number("--layer", 2, 4) == 2
    with pytest.raises(InputError, match=f"--layer must be 1 to 4 or all; received {given}"):
        check_number("--layer", given, 4, also=" or all")
