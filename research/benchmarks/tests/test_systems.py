import importlib.util

import pytest

from research.benchmarks.systems import TRAINING_SYSTEMS, VAE_SYSTEMS, installed_systems


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


def test_without_pytorch(without):
    without("torch")
    logged = []

    assert installed_systems(TRAINING_SYSTEMS, logged.append) == list(TRAINING_SYSTEMS[:3])
    assert logged == [
        f'{name} is left out: torch not installed; run: pip install -e ".[benchmark]"'
        for name in TRAINING_SYSTEMS
        if name.startswith("pytorch")
    ]
    assert installed_systems(VAE_SYSTEMS, print) == ["tf-models"]


def test_ctranslate2_needs_pytorch_for_the_export(without):
    without("torch")
    logged = []

    assert installed_systems(["ctranslate2"], logged.append) == []
    assert "ctranslate2 is left out: " in logged[0]
