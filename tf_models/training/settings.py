"""Base of all settings: frozen, nested, checked by pydantic, from TOML.

A training's settings are a preset file, changed by the command line; config.json is the result.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import tyro
from pydantic import BaseModel, ConfigDict, Field, SerializeAsAny, ValidationError

from tf_models.errors import InputError

MAX_INTEGER = 2**31 - 1  # TensorFlow counts in 32 bits
MAX_SEED = 2**32 - 1  # NumPy's global generator takes no greater one

Size = Annotated[int, Field(ge=1, le=MAX_INTEGER)]
Count = Annotated[int, Field(ge=0, le=MAX_INTEGER)]
Pieces = Annotated[int, Field(ge=10, le=1_000_000)]
MaxLength = Annotated[int, Field(ge=3, le=MAX_INTEGER)]
Share = Annotated[float, Field(ge=0, lt=1)]
NotNegative = Annotated[float, Field(ge=0)]
Seed = Annotated[int, Field(ge=0, le=MAX_SEED)]
Name = tyro.conf.Suppress[tyro.conf.Fixed[str]]  # no option: the preset says it


def read_preset(beside: str, name: str) -> dict[str, Any]:
    """The values of presets/NAME.toml beside a file, section by section."""
    path = Path(beside).with_name("presets") / f"{name}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


class Settings(BaseModel):
    """Base of all settings: a field is a value, or a section of settings.

    No two fields have the same name, however deep they stand, so that a name is enough to change
    one: as on the command line.

    Raises:
        InputError: a value is out of its bounds, or there is no such field.
    """

    model_config = ConfigDict(
        frozen=True, extra="forbid", allow_inf_nan=False, use_attribute_docstrings=True
    )

    def __init__(self, **values: Any):
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise InputError(_one_line(error)) from None

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Self:
        """Pick the settings from config.json; an InputError if one is missing."""
        if missing := cls.model_fields.keys() - config.keys():
            raise InputError(f"config.json has no {', '.join(sorted(missing))}")
        return cls(**{name: config[name] for name in cls.model_fields})

    def flat(self) -> dict[str, Any]:
        """All values by their names alone."""
        values: dict[str, Any] = {}
        for name, value in self:
            values |= value.flat() if isinstance(value, Settings) else {name: value}
        return values

    def changed(self, **changes: Any) -> Self:
        """A copy with changed values, by name; an InputError for unknown names."""
        if unknown := changes.keys() - self.flat().keys():
            raise InputError(f"no setting {', '.join(sorted(unknown))} here")
        values = {name: changes.get(name, value) for name, value in self}
        for name, value in self:
            if isinstance(value, Settings):
                within = changes.keys() & value.flat().keys()
                values[name] = value.changed(**{field: changes[field] for field in within})
        return type(self)(**values)


def _one_line(error: ValidationError) -> str:
    """The first error: "batch_size: must be greater than 0; received 0"."""
    first = error.errors(include_url=False)[0]
    name = ".".join(map(str, first["loc"]))
    if "error" in first.get("ctx", {}):  # a validator's, or that of a section
        return ": ".join(filter(None, (name, str(first["ctx"]["error"]))))
    message = first["msg"].replace("Input should be", "must be")
    return f"{name}: {message}; received {first['input']!r}"


class OptimizerSettings(Settings):
    """Adam and its learning rate."""

    clip_norm: NotNegative = 0.0
    """Greatest norm of the gradient of all weights together (Pascanu et al. 2013); a greater one is
    scaled down to it; 0 does not clip."""
    learning_rate: Annotated[float, Field(gt=0, lt=1)] = 1e-3
    """Learning rate at its highest."""
    schedule: Literal["cosine", "constant"] = "cosine"
    """Schedule of the learning rate; a cosine goes down to zero at the end of the training."""


class TrainingSettings(Settings):
    """Batch size and length of a training."""

    batch_size: Size = 64
    """Images or texts in a batch."""
    epochs: Size = 30
    """Passes over the training data."""


class RunSettings(Settings):
    """All settings of a training but its data and its seed, in sections."""

    model: SerializeAsAny[Settings]
    optimizer: OptimizerSettings = OptimizerSettings()
    training: TrainingSettings = TrainingSettings()
