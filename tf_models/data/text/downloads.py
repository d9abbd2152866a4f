"""Corpora that are downloaded once into a cache folder.

A file that is in the cache is used without asking the network. A download goes to a `.part` file
that a broken connection leaves behind and the next attempt continues; only a complete file, with
the right checksum where one is known, gets its name.
"""

import hashlib
import os
import re
import shutil
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

import requests
from tqdm import tqdm

from tf_models.errors import InputError
from tf_models.files import atomic_path
from tf_models.home import home_folder

CONNECT_SECONDS = 10
READ_SECONDS = 30
CHUNK_BYTES = 1 << 16
# manythings.org refuses clients that do not look like a browser. Without "identity" a server may
# compress on the way, and byte positions would no longer be those of the file.
HEADERS = {
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
    "Accept-Encoding": "identity",
}


@dataclass(frozen=True)
class RemoteFile:
    """A file of a corpus: where it comes from and what is wanted of it.

    Attributes:
        url: its address; the last part is its name in the cache folder.
        sha256: hexadecimal checksum; None where none is known.
        member: for a zip archive, the one file of it that is wanted.
    """

    url: str
    sha256: str | None = None
    member: str | None = None

    @property
    def name(self) -> str:
        return self.url.rsplit("/", 1)[-1]


MULTI30K = "https://raw.githubusercontent.com/multi30k/dataset/master/data/task1/raw"
DOWNLOADS: dict[str, tuple[RemoteFile, ...]] = {
    # Rebuilt every few weeks, so no checksum can be known; zip has its own.
    "tatoeba": (RemoteFile("https://www.manythings.org/anki/deu-eng.zip", member="deu.txt"),),
    "multi30k": tuple(
        RemoteFile(f"{MULTI30K}/{split}.{language}.gz")
        for split in ("train", "val", "test_2016_flickr")
        for language in ("en", "de")
    ),
}


def cached_corpus(
    name: str, data_dir: str | os.PathLike | None = None, progress: bool = True
) -> Path:
    """Return the folder that holds the files of a corpus of `DOWNLOADS`; fetch the missing ones.

    Args:
        name: a key of `DOWNLOADS`.
        data_dir: the cache folder; None: `$XDG_CACHE_HOME/tf_models` or `~/.cache/tf_models`.
        progress: whether to show a bar on stderr.

    Raises:
        InputError: a file could not be fetched or is not what was expected. The message says
            which, and where to put it by hand.
    """
    folder = (Path(data_dir) if data_dir else default_cache()) / name
    for remote in DOWNLOADS[name]:
        path = folder / remote.name
        if remote.member and os.path.exists(folder / remote.member):
            continue
        remedy = (
            f"put that file at {path} by hand, or pass --data-dir DIR where DIR/{name}/{path.name} "
            "is, or pass --corpus toy, which needs no network"
        )
        fetch(remote, path, remedy, progress)
        if remote.member:
            _extract(path, remote.member)
    return folder


def default_cache() -> Path:
    """Return the cache folder of this user; a relative `XDG_CACHE_HOME` is ignored, as it must.

    Raises:
        InputError: the user has no home folder.
    """
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not base.is_absolute():
        base = home_folder("pass --data-dir DIR, or --corpus toy, which needs none") / ".cache"
    return base / "tf_models"


def fetch(remote: RemoteFile, path: Path, remedy: str, progress: bool = True) -> None:
    """Download `remote` to `path`, unless that is there already.

    Args:
        remote: what to fetch.
        path: where it goes.
        remedy: what to do without a network; it closes the error message.
        progress: whether to show a bar on stderr.

    Raises:
        InputError: no connection, an error status, a wrong checksum (the file is then removed),
            or `path` cannot be written.
    """
    if os.path.exists(path):  # False, not an error, where we may not look
        return
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _complete(remote.url, part, progress)
        _check_sum(remote, part)
        os.replace(part, path)
    except requests.RequestException as error:  # before OSError, of which it is one
        raise InputError(f"cannot download {remote.url} ({_reason(error)}); {remedy}") from error
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error


def _complete(url: str, part: Path, progress: bool) -> None:
    """Fetch until `part` is complete; go on after a break for as long as each try brings more."""
    while True:
        before = _size(part)
        try:
            return _continue(url, part, progress)
        except (requests.ConnectionError, requests.exceptions.ChunkedEncodingError):
            if _size(part) <= before:
                raise


def _continue(url: str, part: Path, progress: bool) -> None:
    """Ask for what `part` lacks and append it; start anew if the server sends it from the start."""
    have = _size(part)
    headers = HEADERS | ({"Range": f"bytes={have}-"} if have else {})
    timeout = (CONNECT_SECONDS, READ_SECONDS)
    with requests.get(url, headers=headers, stream=True, timeout=timeout) as response:
        if response.status_code != 416 or not have:
            response.raise_for_status()
            _store(response, part, have, progress)
            return
        nothing_lacks = _total(response) == have
    if not nothing_lacks:  # longer than the file: it belongs to another version of it
        part.unlink()
        _continue(url, part, progress)


def _first_byte(response: requests.Response) -> int:
    """Position in the file at which the answer begins."""
    in_range = re.match(r"bytes (\d+)-", response.headers.get("Content-Range", ""))
    return int(in_range[1]) if in_range and response.status_code == 206 else 0


def _total(response: requests.Response) -> int | None:
    """Size of the whole file, as far as the server says."""
    if response.status_code == 200:
        length = response.headers.get("Content-Length", "")
        return int(length) if length.isdigit() else None
    in_range = re.search(r"/(\d+)$", response.headers.get("Content-Range", ""))
    return int(in_range[1]) if in_range else None


def _store(response: requests.Response, part: Path, have: int, progress: bool) -> None:
    start, total = _first_byte(response), _total(response)
    if start not in (0, have):
        raise requests.ConnectionError(f"asked for byte {have}, received byte {start}")
    bar = tqdm(
        total=total,
        initial=start,
        unit="B",
        unit_scale=True,
        desc=part.stem,
        disable=not progress,
    )
    with open(part, "ab" if start else "wb") as file, bar:
        for chunk in response.iter_content(CHUNK_BYTES):
            file.write(chunk)
            bar.update(len(chunk))
    if total is not None and _size(part) != total:
        raise requests.ConnectionError(f"received {_size(part)} of {total} bytes")


def _check_sum(remote: RemoteFile, part: Path) -> None:
    if remote.sha256 is None:
        return
    with open(part, "rb") as file:
        received = hashlib.file_digest(file, "sha256").hexdigest()
    if received != remote.sha256:
        part.unlink()
        raise InputError(
            f"{remote.url} has changed or was damaged on the way, and was removed: "
            f"expected SHA-256 {remote.sha256}, received {received}"
        )


def _extract(archive: Path, member: str) -> None:
    """Write one file of `archive` beside it and remove the archive."""
    try:
        with (
            zipfile.ZipFile(archive) as contents,
            contents.open(member) as packed,
            atomic_path(archive.with_name(member)) as path,
            open(path, "wb") as file,
        ):
            shutil.copyfileobj(packed, file)
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError) as error:
        archive.unlink()
        raise InputError(
            f"{archive} was damaged or held no {member}, and was removed; run again ({error})"
        ) from error
    archive.unlink()


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _reason(error: requests.RequestException) -> str:
    """Say in a few words what went wrong; requests' own words fill a paragraph."""
    if isinstance(error, requests.HTTPError):
        return f"HTTP status {error.response.status_code}"
    if isinstance(error, requests.Timeout):
        return "no answer in time"
    if isinstance(error, requests.exceptions.SSLError):
        return "its certificate was refused"
    if isinstance(error, requests.exceptions.ProxyError):
        return "no connection to the proxy"
    return "no connection, or it broke"
