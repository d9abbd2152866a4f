import pytest

from tests.support.written_corpora import numbered, write


@pytest.fixture
def folder(tmp_path):
    for split, count in (("train", 20), ("val", 4), ("test_2016_flickr", 5)):
        for code in ("en", "de"):
            write(tmp_path / f"{split}.{code}.gz", numbered(f"{split} {code}", count))
    write(tmp_path / "README.md", "not a corpus")
    return tmp_path
