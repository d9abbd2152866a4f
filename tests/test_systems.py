"""tests/support/systems.py: what a test may ask for, and the library may not."""

import os
import sys

import pytest

from tests.support.systems import skipped_elsewhere
from tf_models.files import write_text


@pytest.fixture
def elsewhere(monkeypatch):
    """A system without some of what Linux has."""
    monkeypatch.setattr("tests.support.systems.sys.platform", "darwin")
    monkeypatch.delattr(os, "replace")
    monkeypatch.setitem(sys.modules, "resource", None)


def import_resource():
    import resource  # noqa: F401


@pytest.mark.parametrize("ask", [lambda: os.replace, import_resource])
def test_a_test_that_asks_for_it_is_skipped(elsewhere, ask):
    with pytest.raises(pytest.skip.Exception, match="this system has it not"), skipped_elsewhere():
        ask()


def test_a_library_that_asks_for_it_fails(elsewhere, tmp_path):
    with pytest.raises(AttributeError, match="replace"), skipped_elsewhere():
        write_text(tmp_path / "a.txt", "")


def test_on_linux_nothing_is_skipped():
    with pytest.raises(AttributeError), skipped_elsewhere():
        os.no_such_name  # noqa: B018
