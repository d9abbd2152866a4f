"""How large a corpus is, and whether there is room for it."""

import gzip

import pytest

from tf_models.data.text import room
from tf_models.errors import InputError


def test_bytes_of_training_text(tmp_path):
    for name in ("train.en", "train.de", "val.en", "deu.txt"):
        (tmp_path / name).write_bytes(b"x" * 100)
    (tmp_path / "packed.txt.gz").write_bytes(gzip.compress(b"x" * 1000))
    packed = (tmp_path / "packed.txt.gz").stat().st_size

    assert room.training_bytes(str(tmp_path), None) == 200
    assert room.training_bytes(str(tmp_path / "deu.txt"), None) == 100
    assert room.training_bytes(f"{tmp_path}/train.en,{tmp_path}/train.de", None) == 200
    assert room.training_bytes(str(tmp_path / "packed.txt.gz"), None) == 4 * packed
    for name in ("toy", "missing.txt", "/dev/zero", "x" * 10_000):
        assert room.training_bytes(name, None) == 0


def test_no_room(tmp_path, monkeypatch):
    room.check_disk(tmp_path, 1)
    room.check_memory(1, "")
    with pytest.raises(InputError, match=r"about 1048576.0 GiB of disk in .* are free; make room"):
        room.check_disk(tmp_path, 1 << 50)
    with pytest.raises(InputError, match=r"about 1048576.0 GiB of memory, .* are free; give up"):
        room.check_memory(1 << 50, "give up")


def test_the_limit_of_a_container(tmp_path, monkeypatch):
    monkeypatch.setattr(room, "MEMORY_LIMIT", tmp_path / "memory.max")
    whole = room.free_memory()
    (tmp_path / "memory.max").write_text("1000\n")
    assert room.free_memory() == 1000
    (tmp_path / "memory.max").write_text("max\n")
    assert room.free_memory() > whole / 2
