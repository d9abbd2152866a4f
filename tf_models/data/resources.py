"""Whether disk and memory have room for a corpus: refused before hours are spent on it."""

import contextlib
import os
import re
import shutil
from pathlib import Path

import psutil
from tqdm import tqdm

from tf_models.data.text_files import COMPRESSED, named_files
from tf_models.data.tfds import prepared_builder
from tf_models.errors import InputError

COMPRESSION_RATIO = 4  # of text
OWN_CGROUPS = Path("/proc/self/cgroup")
# Of Linux' two versions of control groups: the line for memory there, the tree, a group's limit.
CGROUPS = (
    (r"^0::(/.*)$", Path("/sys/fs/cgroup"), "memory.max"),
    (r"^\d+:memory:(/.*)$", Path("/sys/fs/cgroup/memory"), "memory.limit_in_bytes"),
)


def training_bytes(name: str, data_dir: str | os.PathLike | None) -> int:
    """About how many bytes the training pairs of a corpus (see `load_corpus`) have as text.

    Of corpora that are made or downloaded by name it is 0: they are small.
    """
    if name.startswith("tfds:"):
        builder = prepared_builder(name.removeprefix("tfds:"), data_dir)
        return builder.info.splits["train"].num_bytes if "train" in builder.info.splits else 0
    files = Path(name).glob("train.*") if os.path.isdir(name) else named_files(name)
    return sum(
        os.path.getsize(file) * (COMPRESSION_RATIO if file.suffix in COMPRESSED else 1)
        for file in filter(os.path.isfile, files)
    )


def check_disk(folder: Path, needed: int) -> None:
    """Raise an InputError unless so many bytes fit into a folder."""
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise InputError(
            f"this takes about {_size(needed)} of disk in {folder}, and {_size(free)} are free; "
            "make room, or choose another folder"
        )


def _size(count: int) -> str:
    """Bytes for a reader: 3.20MiB, 1.50GiB."""
    return tqdm.format_sizeof(count, "iB", 1024)


def check_memory(needed: int, remedy: str) -> None:
    """Raise an InputError, which ends with `remedy`, unless so many bytes fit into memory."""
    free = free_memory()
    if free < needed:
        raise InputError(
            f"this takes about {_size(needed)} of memory, and {_size(free)} are free; {remedy}"
        )


def free_memory() -> int:
    """Bytes that this process can still have, the limit of its container or job included."""
    free = [psutil.virtual_memory().available]
    # Limits of the control groups that this process is in, its own and those around it.
    own = OWN_CGROUPS.read_text(encoding="utf-8") if OWN_CGROUPS.exists() else ""
    for line, tree, limit in CGROUPS:
        if found := re.search(line, own, re.MULTILINE):
            group = tree / found[1].strip("/")
            for folder in (group, *group.parents):
                with contextlib.suppress(OSError, ValueError):  # none there, or "max"
                    free.append(int((folder / limit).read_text(encoding="utf-8")))
    return min(free)
