import pytest

from tf_models.errors import InputError, check_number


@pytest.mark.parametrize("typed", ["9" * 5000, 0, 5, "all", "-1", "1.5"])
def test_numbers_from_one(typed):
    assert check_number("--layer", None, 4) == 4
    assert check_number("--layer", "2", 4) == check_number("--layer", 2, 4) == 2
    with pytest.raises(InputError, match=f"--layer must be 1 to 4 or all; received {typed}"):
        check_number("--layer", typed, 4, alternative=" or all")
