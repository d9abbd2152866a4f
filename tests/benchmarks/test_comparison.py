import importlib.util

import pytest

from benchmarks.comparison import DECODING, TRAINING, taking_part
from tf_models.errors import InputError


@pytest.fixture
def without(monkeypatch):
    """without("torch"): as if that package were not installed."""

    def hide(package):
        find_spec = importlib.util.find_spec
        monkeypatch.setattr(
            importlib.util,
            "find_spec",
            lambda name, *rest: None if name == package else find_spec(name, *rest),
        )

    return hide


def test_all_of_a_part_unless_some_are_chosen():
    assert taking_part(("tutorial", "tf-models"), None, print) == ["tutorial", "tf-models"]
    assert taking_part(DECODING, ["tf-models-float32", "tf-models"], print) == ["tf-models"]
    assert taking_part(TRAINING, ["tf-models"], print) == []


def test_who_is_not_installed_is_left_out_aloud(without):
    without("torch")
    said = []

    assert taking_part(TRAINING, None, said.append) == list(TRAINING[:3])
    assert said == [
        f'{name} is left out: torch not installed (pip install -e ".[benchmark]")'
        for name in ("pytorch-float32", "pytorch-bfloat16")
    ]


def test_unknown_rivals():
    with pytest.raises(InputError, match="rivals are tutorial, .*; received 'jax'"):
        taking_part(TRAINING, ["tutorial", "jax"], print)
