"""Downloads are pooch's; here is which files, where they lie, and the line without a network."""

import pytest

from tf_models.data import downloads
from tf_models.errors import InputError


@pytest.mark.parametrize(
    ("name", "files"), [("tatoeba", ["deu.txt"]), ("multi30k", downloads.MULTI30K_SHA256)]
)
def test_files_in_the_cache_are_used(tmp_path, monkeypatch, name, files):
    monkeypatch.delattr("pooch.retrieve")
    (tmp_path / name).mkdir()
    for file in files:
        (tmp_path / name / file).write_text("there")
    assert downloads.cached_corpus(name, tmp_path) == tmp_path / name


@pytest.mark.parametrize(
    "error", [ConnectionError("no route\nto host"), ValueError("SHA256"), EOFError()]
)
def test_what_cannot_be_fetched_is_one_line(tmp_path, monkeypatch, error):
    def fail(*arguments):
        raise error

    monkeypatch.setattr("pooch.retrieve", fail)
    with pytest.raises(InputError, match=r"cannot download https://.*deu-eng\.zip") as caught:
        downloads.cached_corpus("tatoeba", tmp_path)
    assert str(tmp_path / "tatoeba" / "deu-eng.zip") in str(caught.value)
    assert "\n" not in str(caught.value)
