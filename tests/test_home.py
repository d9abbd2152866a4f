import os
from pathlib import Path

import pytest

from tf_models.command_line import quiet_tensorflow
from tf_models.data.text import downloads
from tf_models.data.tfds import prepared_builder
from tf_models.errors import InputError
from tf_models.files import home_folder, some_home


@pytest.fixture
def homeless(monkeypatch):
    """HOME is not set, and nobody knows the user."""
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr("pwd.getpwuid", {}.__getitem__)
    with pytest.raises(RuntimeError):
        Path.home()


def test_the_home_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert home_folder("") == tmp_path
    with some_home():
        assert Path.home() == tmp_path


def test_without_one_it_says_what_to_pass(homeless, monkeypatch, tmp_path):
    with pytest.raises(InputError, match="HOME is not set, and the user is unknown; pass this"):
        home_folder("pass this")
    for name in ("XDG_CACHE_HOME", "TFDS_DATA_DIR"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(InputError, match="pass --data-dir DIR, or --corpus toy"):
        downloads.default_cache()
    with pytest.raises(InputError, match="pass --data-dir DIR$"):
        prepared_builder("mnist", None)

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert downloads.default_cache() == tmp_path / "tf_models"


@pytest.mark.parametrize("block", [some_home, quiet_tensorflow])
def test_packages_may_ask_for_it_and_can_store_nothing_there(homeless, block):
    with block(), pytest.raises(OSError, match="Not a directory"):
        (Path.home() / ".keras").mkdir()
    assert "HOME" not in os.environ
