"""Whether disk and memory have room for a corpus: refused before hours are spent on it."""

import os
import shutil
from pathlib import Path

import psutil

from tf_models.data.tfds import prepared_builder
from tf_models.errors import InputError

GIB = 1 << 30
GZIP_RATIO = 4  # of text
MEMORY_LIMIT = Path("/sys/fs/cgroup/memory.max")  # of a container


def training_bytes(name: str, data_dir: str | os.PathLike | None) -> int:
    """About how many bytes the training pairs of a corpus have as text.

    Args:
        name, data_dir: see `load_corpus`. Of corpora that are made or downloaded by name it is 0:
            they are small.
    """
    if name.startswith("tfds:"):
        builder = prepared_builder(name.removeprefix("tfds:"), data_dir)
        return builder.info.splits["train"].num_bytes if "train" in builder.info.splits else 0
    if os.path.isdir(name):
        files = [str(path) for path in Path(name).glob("train.*")]
    else:
        files = [name] if os.path.exists(name) else name.split(",")
    return sum(_text_bytes(file) for file in files if os.path.isfile(file))


def _text_bytes(file: str) -> int:
    return os.path.getsize(file) * (GZIP_RATIO if file.endswith(".gz") else 1)


def check_disk(folder: Path, needed: int) -> None:
    """Check that so many bytes fit into a folder.

    Raises:
        InputError: they do not.
    """
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise InputError(
            f"this takes about {needed / GIB:.1f} GiB of disk in {folder}, and "
            f"{free / GIB:.1f} GiB are free; make room, or choose another folder"
        )


def check_memory(needed: int, remedy: str) -> None:
    """Check that so many bytes fit into memory.

    Args:
        needed: bytes.
        remedy: what to do; it closes the error message.

    Raises:
        InputError: they do not.
    """
    free = free_memory()
    if free < needed:
        raise InputError(
            f"this takes about {needed / GIB:.1f} GiB of memory, and {free / GIB:.1f} GiB are "
            f"free; {remedy}"
        )


def free_memory() -> int:
    """Bytes that this process can still have, the limit of a container included."""
    free = psutil.virtual_memory().available
    try:
        return min(free, int(MEMORY_LIMIT.read_text()))
    except (OSError, ValueError):  # no container, or one without a limit
        return free
