"""Settings: frozen dataclasses that nest, check themselves, and are saved as they nest."""

import math
import reprlib
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from typing import Annotated, Any, Self

from tf_models.errors import InputError

MAX_INTEGER = 2**31 - 1
MAX_NUMBERS = 100  # of a tuple: each one is a layer
MAX_SEED = 2**32 - 1  # NumPy's global generator takes no greater one
Seed = Annotated[int, range(MAX_SEED + 1)]  # in config.json
ALL = "all of it"  # what a JSON file holds, in errors


def check_seed(seed: int) -> int:
    """The seed; an InputError if it is not 0 to `MAX_SEED`."""
    if not 0 <= seed <= MAX_SEED:
        raise InputError(f"the seed must be 0 to {MAX_SEED}; received {seed}")
    return seed


def setting(
    default: Any,
    help: str,
    *,
    metavar: str | None = None,
    choices: tuple[str, ...] = (),
    ge: float = -math.inf,
    gt: float = -math.inf,
    lt: float = math.inf,
    le: float = math.inf,
    changeable: bool = False,
    lowerable: bool = False,
) -> Any:
    """One field of `Settings`: its default, what it means, and which values make sense.

    The command line is made from this, too (see `tf_models.command_line.add_settings`).

    Args:
        default: the value if nothing is said.
        help: what it means, with its unit.
        metavar: what stands for the value in --help; None: the field's name.
        choices: the values of a name.
        ge, gt, lt, le: bounds of a number, or of each number of a tuple (greater or equal, …).
        changeable: whether a run that has begun may go on with another value: it does not bend the
            curve up to where the run stands.
        lowerable: whether it may go on with a lower one, as after a loss that is no longer a
            number; the run notes it. None stands for a greater value, and so does 0.
    """
    return field(
        default=default,
        metadata={
            "help": help,
            "metavar": metavar,
            "choices": choices,
            "bounds": (ge, gt, lt, le),
            "changeable": changeable,
            "lowerable": lowerable,
        },
    )


@dataclass(frozen=True)
class Settings:
    """Base of all settings. A field is a value, made with `setting`, or further settings.

    No two fields have the same name, however deep they stand, so that a name is enough to change
    one: as on the command line.

    Raises:
        InputError: a value makes no sense.
    """

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            if isinstance(value, list):  # config.json has no tuples
                object.__setattr__(self, one.name, tuple(value))
            if one.metadata:
                expected = self._expected(one)
                self._check(one.name, not expected, expected)

    def _check(self, name: str, right: bool, expected: str | None) -> None:
        if not right:
            raise InputError(f"{name} must be {expected}; received {getattr(self, name)}")

    def _expected(self, one: Field) -> str | None:
        """What a field has to be, if its value makes no sense."""
        value, choices = getattr(self, one.name), one.metadata["choices"]
        if choices and value not in choices:
            return f"one of {', '.join(choices)}"
        numbers: Any = value if isinstance(value, tuple) else (value,)
        if len(numbers) > MAX_NUMBERS:
            return f"at most {MAX_NUMBERS} numbers"
        numbers = [n for n in numbers if isinstance(n, int | float) and not isinstance(n, bool)]
        if any(abs(n) > MAX_INTEGER for n in numbers if isinstance(n, int)):
            return f"at most {MAX_INTEGER}"  # TensorFlow counts in 32 bits
        ge, gt, lt, le = one.metadata["bounds"]
        # NaN and infinity pass no comparison that matters here.
        right = all(ge <= n <= le and gt < n < lt and math.isfinite(n) for n in numbers)
        if right:
            return None
        limits = (("at least", ge), ("above", gt), ("below", lt), ("at most", le))
        words = [f"{word} {limit:g}" for word, limit in limits if math.isfinite(limit)]
        return " and ".join(words) or "finite"

    def _sections(self) -> Iterator[tuple[str, "Settings"]]:
        for one in fields(self):
            value = getattr(self, one.name)
            if isinstance(value, Settings):
                yield one.name, value

    def flat(self) -> dict[str, Any]:
        """All values by their names alone."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        for name, section in self._sections():
            del values[name]
            values |= section.flat()
        return values

    def changed(self, **changes: Any) -> Self:
        """A copy with other values, by their names alone; None is a value as any other. Raises
        InputError: there is no setting of that name, or a value makes no sense.
        """
        unknown = changes.keys() - self.flat().keys()
        if unknown:
            raise InputError(f"no setting {', '.join(sorted(unknown))} here")
        return self._changed(changes)

    def _changed(self, changes: dict[str, Any]) -> Self:
        own = {one.name for one in fields(self)} - {name for name, _ in self._sections()}
        here = {name: value for name, value in changes.items() if name in own}
        sections = {name: section._changed(changes) for name, section in self._sections()}
        return replace(self, **here, **sections)

    def from_config(self, config: dict[str, Any], prefix: str = "") -> Self:
        """Settings of the same classes as these, with the values that config.json has, nested as
        they are; it may hold more. In errors the `prefix` ("model.") stands before a section's
        names.

        Raises:
            KeyError, TypeError: something is missing, or of another kind.
            InputError: a value makes no sense.
        """
        values = {}
        sections = dict(self._sections())
        for one in fields(self):
            name, section = f"{prefix}{one.name}", sections.get(one.name)
            if one.name not in config:
                raise KeyError(name)
            value = config[one.name]
            check_type(name, value, dict if section else one.type)
            values[one.name] = section.from_config(value, f"{name}.") if section else value
        return replace(self, **values)

    def marked(self, mark: str, prefix: str = "") -> list[str]:
        """Where in config.json the settings stand that are "changeable", or "lowerable"."""
        names = [prefix + one.name for one in fields(self) if one.metadata.get(mark)]
        for name, section in self._sections():
            names += section.marked(mark, f"{prefix}{name}.")
        return names


@dataclass(frozen=True)
class ClippingSettings(Settings):
    """What keeps one bad batch from spoiling the weights."""

    clip_norm: float = setting(
        0.0,
        "greatest norm of the gradient, of all weights together (Pascanu et al. 2013); a greater "
        "one is scaled down to it; 0 does not clip",
        metavar="NORM",
        ge=0,
        lowerable=True,
    )


@dataclass(frozen=True)
class OptimizerSettings(ClippingSettings):
    """The learning rate, and the greatest gradient."""

    learning_rate: float = setting(
        1e-3, "of the optimizer", metavar="R", gt=0, lt=1, lowerable=True
    )
    schedule: str = setting(
        "cosine",
        "of the learning rate; a cosine goes down to zero at the end of the last epoch",
        choices=("cosine", "constant"),
    )


@dataclass(frozen=True)
class TrainingSettings(Settings):
    """How long to train."""

    batch_size: int = setting(64, "images or texts in a batch", metavar="N", ge=1)
    epochs: int = setting(30, "passes over the training data", ge=1, changeable=True)


@dataclass(frozen=True, kw_only=True)
class RunSettings(Settings):
    """All settings of a training but its data and its seed, section by section."""

    model: Any  # the Settings of that kind of model
    optimizer: OptimizerSettings = OptimizerSettings()
    training: TrainingSettings = TrainingSettings()


def check_type(name: str, value: Any, annotation: Any) -> None:
    """Refuse a value from a JSON file, called by its name in errors, that is not of a type.

    That may be a type; a union; a list, which must not be empty; a tuple, for which the file has a
    list; a whole number `Annotated` with its range; or the types of an object's values, by their
    names.

    Raises:
        TypeError: it is of another type, or out of its range.
        KeyError: something is missing in it.
    """
    types_of_values = annotation if isinstance(annotation, Mapping) else {}
    if not _is_of_type(value, dict if types_of_values else annotation):
        raise TypeError(f"{name} is {reprlib.repr(value)}, not {_type_name(annotation)}")
    for key, of_key in types_of_values.items():
        path = f"{name}.{key}".removeprefix(f"{ALL}.")
        if key not in value:
            raise KeyError(path)
        check_type(path, value[key], of_key)


def _is_of_type(value: Any, annotation: Any) -> bool:
    kind, parts = typing.get_origin(annotation) or annotation, typing.get_args(annotation)
    if kind in (types.UnionType, typing.Union):
        return any(_is_of_type(value, part) for part in parts)
    if kind is Annotated:
        return _is_of_type(value, parts[0]) and value in parts[1]
    if kind in (list, tuple):
        if type(value) not in (list, tuple) or (kind is list and not value):
            return False
        if kind is list or ... in parts:
            parts = parts[:1] * len(value)
        return len(parts) == len(value) and all(map(_is_of_type, value, parts))
    return type(value) in ((int, float) if kind is float else (kind,))


def _type_name(annotation: Any) -> str:
    if isinstance(annotation, Mapping):
        return "dict"
    kind, parts = typing.get_origin(annotation) or annotation, typing.get_args(annotation)
    if kind is Annotated:
        return f"{parts[0].__name__} from {parts[1][0]} to {parts[1][-1]}"
    names = list(dict.fromkeys(_type_name(part) for part in parts if part is not ...))
    if kind in (types.UnionType, typing.Union):
        return " or ".join(names)
    return f"list of {', '.join(names)}" if names else kind.__name__  # JSON has no tuples
