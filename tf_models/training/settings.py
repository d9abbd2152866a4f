"""Base of all settings: frozen, nested, checked by pydantic, from TOML.

A training's settings are a preset file, changed by the command line; config.json is the result.
"""

import math
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import tyro
from pydantic import BaseModel, ConfigDict, Field, SerializeAsAny, ValidationError

from tf_models.errors import InputError, counted

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
Steps = Annotated[Count, tyro.conf.Suppress, tyro.conf.Fixed]
Names = Annotated[frozenset[str], tyro.conf.Suppress, tyro.conf.Fixed]

# The length of a training on few data: see `FittedSettings.fitted`.
EPOCH_STEPS = 10
PATIENCE_STEPS = 200
WARMUP_SHARE = 0.25
FEWEST = {"batch_size": 8, "batch_tokens": 128}
SHARES_OF_EPOCHS = ("pretrain_epochs", "kl_warmup_epochs")


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
        names = {name for name, field in cls.model_fields.items() if not field.exclude}
        if missing := names - config.keys():
            raise InputError(f"config.json has no {', '.join(sorted(missing))}")
        return cls(**{name: config[name] for name in names})

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


class SizeDependent(Settings):
    """Settings that the size of the data changes, unless an option sets them."""

    batch_size: Count | None = None
    batch_tokens: Count | None = None
    epochs: Count | None = None
    patience: Count | None = None
    warmup_steps: Count | None = None
    pieces: Count | None = None
    pretrain_epochs: Count | None = None
    kl_warmup_epochs: float | None = None


class FittedSettings(Settings):
    """Settings of a training whose length is fitted to its data.

    config.json has the result; settings that are read from it are fitted no more.

    min_steps: optimizer steps that a training has at least; 0 leaves its length as it is.
    fixed: names of the settings that were changed, and stay as they are.
    """

    min_steps: Steps = Field(default=0, exclude=True)
    fixed: Names = Field(default=frozenset(), exclude=True)

    def changed(self, **changes: Any) -> Self:
        """A copy with changed values, by name, which no size of the data changes."""
        fixed = self.fixed | (changes.keys() & SizeDependent.model_fields.keys())
        return super().changed(**{"fixed": fixed, **changes})

    def fitted(self, examples: int, tokens: int = 0) -> Self:
        """Settings for a training on so many examples; large data change none.

        If there are too few steps, batches are halved until an epoch has `EPOCH_STEPS`, down to the
        `FEWEST`; then epochs are added until the training has `min_steps`. Its warm-up is a share
        of those, and patience waits for `PATIENCE_STEPS` at least.

        Args:
            examples: pairs, texts, images or questions to train on.
            tokens: of all of them, about, if the batches have a number of tokens.
        """
        values = self.flat()
        unit = "batch_tokens" if values.get("batch_tokens") else "batch_size"
        if self.min_steps == 0:
            return self
        total = tokens if unit == "batch_tokens" else examples
        size = values[unit]
        fewest = size if unit in self.fixed else FEWEST[unit]
        # No more than are missing: with each step, fine-tuning forgets.
        most = min(EPOCH_STEPS, self.min_steps / values["epochs"])
        while total < most * size and size // 2 >= fewest:
            size //= 2
        epoch_steps = math.ceil(total / size)
        changes: dict[str, Any] = {unit: size}
        if values.get("patience"):
            epochs = math.ceil(PATIENCE_STEPS / epoch_steps)
            changes["patience"] = max(values["patience"], epochs)
        if values["epochs"] * epoch_steps < self.min_steps and "epochs" not in self.fixed:
            changes |= self._more_epochs(math.ceil(self.min_steps / epoch_steps))
        return self.changed(**{k: v for k, v in changes.items() if k not in self.fixed})

    def _more_epochs(self, epochs: int) -> dict[str, Any]:
        """Changes for so many epochs, which come to `min_steps`."""
        values = self.flat()
        changes = {"epochs": epochs}
        for name in values.keys() & SHARES_OF_EPOCHS:
            changes[name] = type(values[name])(values[name] * epochs / values["epochs"])
        if "warmup_steps" in values:
            changes["warmup_steps"] = min(
                values["warmup_steps"], int(WARMUP_SHARE * self.min_steps)
            )
        return changes

    def length(self, examples: int, noun: str, epoch_steps: int, minutes: float = math.inf) -> str:
        """One line: "200 pairs: batches of 256 tokens, 30 epochs, 240 steps"."""
        values = self.flat()
        tokens = values.get("batch_tokens")
        epochs = values["epochs"]
        batches = counted(tokens, "token") if tokens else counted(values["batch_size"], noun)
        line = f"{counted(examples, noun)}: batches of {batches}, "
        if minutes < math.inf:
            return f"{line}{counted(epoch_steps, 'step')} an epoch"
        return f"{line}{counted(epochs, 'epoch')}, {counted(epochs * epoch_steps, 'step')}"


class RunSettings(FittedSettings):
    """All settings of a training but its data and its seed, in sections."""

    model: SerializeAsAny[Settings]
    optimizer: OptimizerSettings = OptimizerSettings()
    training: TrainingSettings = TrainingSettings()
