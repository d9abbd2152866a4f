"""How large a corpus is, and whether there is room for it."""

import gzip

import pytest

from tf_models.data import resources
from tf_models.errors import InputError


def test_bytes_of_training_text(tmp_path):
    for name in ("train.en", "train.de", "val.en", "deu.txt"):
        (tmp_path / name).write_bytes(b"x" * 100)
    (tmp_path / "packed.txt.gz").write_bytes(gzip.compress(b"x" * 1000))
    packed = (tmp_path / "packed.txt.gz").stat().st_size

    assert resources.training_bytes(str(tmp_path), None) == 200
    assert resources.training_bytes(str(tmp_path / "deu.txt"), None) == 100
    assert resources.training_bytes(f"{tmp_path}/train.en,{tmp_path}/train.de", None) == 200
    assert resources.training_bytes(str(tmp_path / "packed.txt.gz"), None) == 4 * packed
    for name in ("toy", "missing.txt", "/dev/zero", "x" * 10_000):
        assert resources.training_bytes(name, None) == 0


def test_no_room(tmp_path, monkeypatch):
    resources.check_disk(tmp_path, 1)
    resources.check_memory(1, "")
    with pytest.raises(InputError, match=r"about 1.00PiB of disk in .* are free; make room"):
        resources.check_disk(tmp_path, 1 << 50)
    with pytest.raises(InputError, match=r"about 1.00PiB of memory, .* are free; give up"):
        resources.check_memory(1 << 50, "give up")


@pytest.mark.parametrize(
    ("line", "tree", "limit", "unlimited"),
    [
        ("0::/", "cgroup", "memory.max", "max"),  # a container sees itself as the root
        ("0::/job_7/step_0", "cgroup", "memory.max", "max"),
        ("4:memory:/job_7/step_0", "memory", "memory.limit_in_bytes", str(2**63 - 4096)),
    ],
)
def test_the_limit_of_a_container_or_job(tmp_path, monkeypatch, line, tree, limit, unlimited):
    (tmp_path / "own").write_text(f"9:name=systemd:/\n{line}\n")
    monkeypatch.setattr(resources, "OWN_CGROUPS", tmp_path / "own")
    groups = [(pattern, tmp_path / path.name, name) for pattern, path, name in resources.CGROUPS]
    monkeypatch.setattr(resources, "CGROUPS", groups)
    group = tmp_path / tree / line.split(":")[2].strip("/")
    group.mkdir(parents=True)
    whole = resources.free_memory()

    for limited in (group, tmp_path / tree):  # its own, and that of one around it
        (limited / limit).write_text("1000\n")
        assert resources.free_memory() == 1000
        (limited / limit).write_text(f"{unlimited}\n")
        assert resources.free_memory() > whole / 2
