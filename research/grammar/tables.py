"""Probabilities, which stand in a TOML file beside the words."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent


@cache
def _odds() -> dict[str, dict]:
    return tomllib.loads((_FOLDER / "odds.toml").read_text(encoding="utf-8"))


@cache
def odds(name: str) -> float:
    """A share of the tables: "wish.asked" is `asked` of `[wish]`."""
    table, _, key = name.partition(".")
    return _odds()[table][key]


@cache
def weights(name: str) -> Mapping[str, float]:
    """How often each thing of a table is drawn, by its name."""
    return _odds()[name]
