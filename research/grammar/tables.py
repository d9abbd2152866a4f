"""Probabilities and sets of words, which stand in TOML files beside the words."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent


@cache
def odds(name: str) -> float:
    """A share of `odds.toml`: "wish.asked" is `asked` of `[wish]`."""
    table, _, key = name.partition(".")
    return _sections("odds")[table][key]


@cache
def weights(name: str) -> Mapping[str, float]:
    """How often each thing of a table of `odds.toml` is drawn, by its name."""
    return _sections("odds")[name]


@cache
def words(name: str) -> frozenset[str]:
    """A set of `word_sets.toml`."""
    return frozenset(_word_set(name))


@cache
def listed(name: str) -> tuple:
    """A set of `word_sets.toml` in its order; what stands there twice is drawn twice as often."""
    return _as_tuple(_word_set(name))


@cache
def table(name: str) -> Mapping[str, str | tuple[str, ...]]:
    """A table of `word_sets.toml`."""
    return {key: _as_tuple(value) for key, value in _word_set(name).items()}


def _word_set(name: str) -> list | dict:
    (found,) = (section[name] for section in _sections("word_sets").values() if name in section)
    return found


def _as_tuple(value: str | list) -> str | tuple:
    return value if isinstance(value, str) else tuple(map(_as_tuple, value))


def section(file: str) -> Mapping[str, Any]:
    """All of a TOML file beside the words."""
    return _sections(file)


@cache
def _sections(file: str) -> dict[str, dict]:
    return tomllib.loads((_FOLDER / f"{file}.toml").read_text(encoding="utf-8"))
