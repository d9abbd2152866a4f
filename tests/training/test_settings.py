"""Settings nest, are checked, are changed by name, and come back from config.json."""

import json
from typing import Annotated, Literal

import pytest
from pydantic import Field

from tf_models.errors import InputError
from tf_models.training.settings import Settings, Size


class Model(Settings):
    """A section."""

    widths: tuple[Size, ...] = (3, 4)
    rate: Annotated[float, Field(gt=0, lt=1)] | None = None
    kind: Literal["dense", "sparse"] = "dense"


class Training(Settings):
    """Another section."""

    epochs: Size = 5
    balanced: bool = True


class All(Settings):
    """Both sections."""

    name: str = "all"
    model: Model = Model()
    training: Training = Training()


def test_names_are_enough_however_deep():
    changed = All().changed(widths=(1,), epochs=7, name="other")

    assert changed == All(name="other", model=Model(widths=(1,)), training=Training(epochs=7))
    assert changed.flat() == {
        "name": "other", "widths": (1,), "rate": None, "kind": "dense", "epochs": 7,
        "balanced": True,
    }  # fmt: skip
    assert All().changed(rate=0.5).changed(rate=None) == All()


def test_they_come_back_from_json():
    changed = All().changed(widths=(1, 2), rate=0.5, balanced=False)
    config = json.loads(json.dumps({"kind": "run", **changed.model_dump()}))

    assert All.from_config(config) == changed
    del config["model"]
    with pytest.raises(InputError, match="model"):
        All.from_config(config)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"epochs": 0}, "epochs: must be greater than or equal to 1; received 0"),
        ({"widths": (3, 0)}, "widths.1: must be greater than or equal to 1; received 0"),
        ({"rate": 1.0}, "rate: must be less than 1; received 1.0"),
        ({"rate": float("nan")}, "rate: .*; received nan"),
        ({"kind": "wide"}, "kind: must be 'dense' or 'sparse'; received 'wide'"),
        ({"depth": 3}, "no setting depth here"),
    ],
)
def test_values_out_of_bounds(changes, message):
    with pytest.raises(InputError, match=f"^{message}$"):
        All().changed(**changes)
