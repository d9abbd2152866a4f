"""What all settings share: they refuse values that make no sense, and go into config.json."""

from dataclasses import asdict, replace
from typing import Self

from tf_models.errors import InputError

SCHEDULES = ("cosine", "constant")  # of the autoencoders' learning rate


class CheckedSettings:
    """Base of the frozen dataclasses of settings; each has `epochs` and a `schedule`."""

    def _check(self, name: str, right: bool, expected: str) -> None:
        if not right:
            raise InputError(f"{name} must be {expected}; received {getattr(self, name)}")

    def _check_choice(self, name: str, choices: tuple[str, ...]) -> None:
        self._check(name, getattr(self, name) in choices, f"one of {', '.join(choices)}")

    def _check_at_least_one(self, *names: str) -> None:
        for name in names:
            self._check(name, getattr(self, name) >= 1, "at least 1")

    def changed(self, **changes) -> Self:
        """A copy with some settings changed; None leaves one as it is."""
        return replace(
            self, **{name: value for name, value in changes.items() if value is not None}
        )

    def as_dict(self) -> dict:
        """All of them by name."""
        return asdict(self)

    def as_config(self, model_settings: tuple[str, ...]) -> dict:
        """What config.json says of them; those named make up its "model"."""
        values = self.as_dict()
        return {
            "model": {name: values.pop(name) for name in model_settings},
            "training": values,
            # A decay to zero bends the whole curve, so a run with one cannot be made longer.
            "decay_over_epochs": self.epochs if self.schedule == "cosine" else None,
        }
