import pytest

from research.benchmarks import translator
from research.benchmarks.systems import DECODING_SYSTEMS, TRAINING_SYSTEMS
from research.benchmarks.translator import chosen_systems, make_parser


@pytest.mark.parametrize(
    ("options", "chosen"),
    [
        ([], {"training": TRAINING_SYSTEMS, "decoding": DECODING_SYSTEMS}),
        (["--part", "decoding"], {"decoding": DECODING_SYSTEMS}),
        (
            ["--systems", "tf-models", "tutorial"],
            {"training": ("tutorial",), "decoding": ("tutorial", "tf-models")},
        ),
        (["--systems", "tf-models"], {"decoding": ("tf-models",)}),
    ],
)
def test_systems_of_each_part(options, chosen, monkeypatch):
    monkeypatch.setattr(translator, "installed_systems", lambda names, log: names)
    found = chosen_systems(make_parser().parse_args(options))

    assert found == {part: list(names) for part, names in chosen.items()}
