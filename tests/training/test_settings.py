"""Settings nest, check themselves, are changed by name, and come back from config.json."""

import json
from dataclasses import asdict, dataclass

import pytest

from tf_models.command_line import Parser, add_settings, given_settings
from tf_models.errors import InputError
from tf_models.training.settings import Settings, check_seed, setting


@dataclass(frozen=True)
class Inner(Settings):
    """One section."""

    widths: tuple[int, ...] = setting((3, 4), "of layers", ge=1)
    rate: float | None = setting(None, "of 100 % dropout", gt=0, lt=1)
    kind: str = setting("dense", "of layers", choices=("dense", "sparse"))


@dataclass(frozen=True)
class Outer(Settings):
    """Two sections, one of them with the name of its own setting."""

    name: str = "outer"
    model: Inner = Inner()
    epochs: Settings = Settings()


@dataclass(frozen=True)
class Epochs(Settings):
    """How long."""

    epochs: int = setting(5, "passes over the data", ge=1, changeable=True)
    balanced: bool = setting(True, "whether all count alike")


SETTINGS = Outer(epochs=Epochs())


def test_names_are_enough_however_deep():
    changed = SETTINGS.changed(widths=(1,), epochs=7, name="other")

    assert changed == Outer("other", Inner(widths=(1,)), Epochs(7))
    assert changed.flat() == {
        "name": "other", "widths": (1,), "rate": None, "kind": "dense", "epochs": 7,
        "balanced": True,
    }  # fmt: skip
    assert SETTINGS.changed(rate=0.5).changed(rate=None) == SETTINGS
    assert SETTINGS.marked("changeable") == ["epochs.epochs"]


def test_they_come_back_from_json():
    changed = SETTINGS.changed(widths=(1, 2), rate=0.5, balanced=False)
    config = json.loads(json.dumps({"kind": "run", **asdict(changed)}))

    assert SETTINGS.from_config(config) == changed
    del config["model"]["kind"]
    with pytest.raises(KeyError):
        SETTINGS.from_config(config)


@pytest.mark.parametrize("wrong", ["five", None, [5], 5.5, True])
def test_values_of_another_type_are_damage(wrong):
    config = asdict(SETTINGS)
    config["epochs"]["epochs"] = wrong
    with pytest.raises(TypeError, match="epochs is"):
        SETTINGS.from_config(config)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"epochs": 0}, "epochs must be at least 1; received 0"),
        ({"widths": (3, 0)}, r"widths must be at least 1; received \(3, 0\)"),
        ({"rate": 1.0}, r"rate must be above 0 and below 1; received 1\.0"),
        ({"rate": float("nan")}, "rate must be above 0 and below 1; received nan"),
        ({"rate": float("inf")}, "rate must be above 0 and below 1; received inf"),
        ({"kind": "wide"}, "kind must be one of dense, sparse; received wide"),
        ({"depth": 3}, "no setting depth here"),
    ],
)
def test_values_that_make_no_sense(changes, message):
    with pytest.raises(InputError, match=message):
        SETTINGS.changed(**changes)


def test_they_make_the_command_line(capsys):
    parser = Parser("A test.", "none")
    add_settings(parser, {"small": Inner(), "large": Inner(widths=(9,))})
    add_settings(parser, {"small": Epochs(), "large": Epochs()}, leave_out=("rate",))
    arguments = parser.parse_args(["--widths", "1,2", "--rate", "0.5", "--no-balanced"])

    given = given_settings(arguments, SETTINGS)
    assert given == {"widths": (1, 2), "rate": 0.5, "balanced": False}
    with pytest.raises(SystemExit):
        parser.parse_args(["--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert "of layers; default: 3,4 (small); 9 (large)" in shown
    assert "(dense, sparse); default: dense" in shown
    assert "of 100 % dropout" in shown


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_seeds_out_of_range(seed):
    with pytest.raises(InputError, match=f"received {seed}"):
        check_seed(seed)
