"""Settings nest, are checked, are changed by name, and come back from config.json."""

import json
from typing import Annotated, Literal

import pytest
from pydantic import Field

from tf_models.errors import InputError
from tf_models.training.settings import FittedSettings, Settings, Size


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


class Fitted(FittedSettings):
    """A training of either kind of batches."""

    min_steps: int = 1000
    batch_size: int = 64
    batch_tokens: int = 0
    epochs: int = 10
    patience: int = 2
    warmup_steps: int = 300
    kl_warmup_epochs: float = 2.0


@pytest.mark.parametrize(
    ("examples", "changes", "batch", "epochs", "patience", "warmup", "kl_warmup"),
    [
        (10, {}, 8, 500, 100, 250, 100.0),
        (160, {}, 16, 100, 20, 250, 20.0),
        (639, {}, 32, 50, 10, 250, 10.0),
        (3_200, {}, 64, 20, 4, 250, 4.0),
        (6_400, {}, 64, 10, 2, 300, 2.0),
        (160, {"epochs": 10}, 16, 10, 20, 300, 2.0),
        (160, {"batch_size": 64}, 64, 334, 67, 250, 66.8),
        (160, {"patience": 2, "warmup_steps": 400}, 16, 100, 2, 400, 20.0),
        (160, {"min_steps": 0}, 64, 10, 2, 300, 2.0),
        (160, {"patience": 0}, 16, 100, 0, 250, 20.0),
    ],
)
def test_few_data_have_smaller_batches_and_more_epochs(
    examples, changes, batch, epochs, patience, warmup, kl_warmup
):
    fitted = Fitted().changed(**changes).fitted(examples)

    assert (fitted.batch_size, fitted.epochs, fitted.patience) == (batch, epochs, patience)
    assert (fitted.warmup_steps, fitted.kl_warmup_epochs) == (warmup, kl_warmup)
    assert fitted.fitted(examples) == fitted


def test_batches_of_tokens_are_fitted_by_tokens():
    fitted = Fitted(batch_size=0, batch_tokens=2048).fitted(192, 1_900)

    assert (fitted.batch_size, fitted.batch_tokens, fitted.epochs) == (0, 128, 67)
    line = fitted.length(192, "pair", 15)
    assert line == "192 pairs: batches of 128 tokens, 67 epochs, 1,005 steps"
    assert fitted.length(192, "pair", 15, 2.0).endswith("15 steps an epoch")
