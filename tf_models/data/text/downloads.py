"""Corpora that are downloaded once into a cache folder.

A file that is in the cache is used without asking the network. A download goes to a `.part` file
that a broken connection leaves behind and the next attempt continues; only a complete file, with
the right checksum where one is known, gets its name. Where none is known, a format with a checksum
of its own (zip, gzip) says whether it is complete, or else the length that the server told.
"""

import contextlib
import fcntl
import gzip
import hashlib
import os
import re
import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO
from urllib.parse import urlsplit

import requests
from tqdm import tqdm

from tf_models.errors import InputError
from tf_models.files import atomic_path
from tf_models.home import home_folder

CONNECT_SECONDS = 10
READ_SECONDS = 30
CHUNK_BYTES = 1 << 16
MOST_UNPACKED_BYTES = 4 << 30  # of a file in an archive; a bomb has more
THIS_MACHINE = ("127.0.0.1", "localhost", "::1")
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
MULTI30K_SHA256 = {
    "train.en.gz": "d79cfa999dd4c51d2cb42499b6796d5a882c3a8a961923c25a898c90f8bbd56f",
    "train.de.gz": "726e39b2fa9eb9ffb6dc763fb35a179f80fae06ffc5d28b6ace5faa883de28a6",
    "val.en.gz": "14f7d25ddd868909a9213e361768460edcacdd6ab9d1e77b92560dc10c10dc28",
    "val.de.gz": "f0cba2f995189cf5770f29a8a9a537a3ad3f51657ad873405082ff6863a5e75a",
    "test_2016_flickr.en.gz": "611d361c6334bc7246101d48097c13cf5c4413c5befc793cc629934359d532d9",
    "test_2016_flickr.de.gz": "9204244e408ccb38d2a55cfcd344df15005fc42a07a6e55ca6c52b6ababb8cc8",
}
DOWNLOADS: dict[str, tuple[RemoteFile, ...]] = {
    # Rebuilt every few weeks, so no checksum can be known; zip has its own.
    "tatoeba": (RemoteFile("https://www.manythings.org/anki/deu-eng.zip", member="deu.txt"),),
    "multi30k": tuple(
        RemoteFile(f"{MULTI30K}/{name}", sha256) for name, sha256 in MULTI30K_SHA256.items()
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
        fetched = fetch(remote, path, remedy, progress)
        if remote.member:
            with unpacking(path, remote.member, fetched):
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


def fetch(remote: RemoteFile, path: Path, remedy: str, progress: bool = True) -> bool:
    """Download `remote` to `path`, unless that is there already.

    A second process that wants the same file waits until the first one has it.

    Args:
        remote: what to fetch.
        path: where it goes.
        remedy: what to do without a network; it closes the error message.
        progress: whether to show a bar on stderr.

    Returns:
        whether it was downloaded now; otherwise it was put there before.

    Raises:
        InputError: no connection, an error status, a web page in place of the file, a wrong
            checksum (the file is then removed), or `path` cannot be written.
    """
    if os.path.exists(path):  # False, not an error, where we may not look
        return False
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _own_part(path) as part:
            if os.path.exists(path):  # another process was earlier
                return False
            _complete(remote, part, progress)
            _check(remote, part)
            os.fsync(part.fileno())
            os.replace(part.name, path)
        return True
    except requests.RequestException as error:  # before OSError, of which it is one
        raise InputError(f"cannot download {remote.url} ({_reason(error)}); {remedy}") from error
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error


@contextlib.contextmanager
def _own_part(path: Path) -> Iterator[BinaryIO]:
    """Yield the `.part` file of `path`, open to be read and appended to, by nobody else."""
    name = path.with_name(path.name + ".part")
    while True:
        with open(name, "ab+") as part:
            with contextlib.suppress(OSError):  # a file system without locks
                fcntl.flock(part, fcntl.LOCK_EX)
            if not (os.path.exists(path) or _is_file_of(name, part)):
                continue  # whoever had it removed it
            try:
                yield part
                return
            finally:
                if _size(part) == 0 and _is_file_of(name, part):
                    name.unlink()


def _is_file_of(path: Path, file: BinaryIO) -> bool:
    return os.path.exists(path) and os.path.samestat(os.stat(path), os.fstat(file.fileno()))


def _complete(remote: RemoteFile, part: BinaryIO, progress: bool) -> None:
    """Fetch until `part` is complete; go on after a break for as long as each try brings more."""
    if not _checks_itself(remote):
        part.truncate(0)  # it may be of another version of the file
    while True:
        before = _size(part)
        try:
            return _continue(remote, part, progress)
        except (requests.ConnectionError, requests.exceptions.ChunkedEncodingError):
            if _size(part) <= before:
                raise


def _checks_itself(remote: RemoteFile) -> bool:
    return remote.sha256 is not None or remote.name.endswith((".gz", ".zip"))


class _Session(requests.Session):
    """Asks only where nobody on the way can change the answer."""

    def send(self, request, **options):
        """Send a request, also one that follows a redirect."""
        address = urlsplit(request.url)
        if address.scheme != "https" and address.hostname not in THIS_MACHINE:
            raise requests.exceptions.InvalidSchema(f"redirected to {request.url}, without https")
        return super().send(request, **options)


def _continue(remote: RemoteFile, part: BinaryIO, progress: bool) -> None:
    """Ask for what `part` lacks and append it; start anew if the server sends it from the start."""
    have = _size(part)
    headers = HEADERS | ({"Range": f"bytes={have}-"} if have else {})
    options = {"headers": headers, "stream": True, "timeout": (CONNECT_SECONDS, READ_SECONDS)}
    with _Session() as session, session.get(remote.url, **options) as response:
        if response.status_code != 416 or not have:
            response.raise_for_status()
            _refuse_web_page(response)
            _store(remote, response, part, progress)
            return
        nothing_lacks = _total(response) == have
    if not nothing_lacks:  # longer than the file: it belongs to another version of it
        part.truncate(0)
        _continue(remote, part, progress)


def _refuse_web_page(response: requests.Response) -> None:
    if "html" in response.headers.get("Content-Type", "").lower():
        raise requests.exceptions.InvalidURL("a web page came in its place, perhaps to log in")


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


def _store(remote: RemoteFile, response: requests.Response, part: BinaryIO, progress: bool) -> None:
    have, start, total = _size(part), _first_byte(response), _total(response)
    if start not in (0, have):
        raise requests.ConnectionError(f"asked for byte {have}, received byte {start}")
    if total is None and not _checks_itself(remote):
        raise requests.exceptions.InvalidHeader("the server does not say how long the file is")
    part.truncate(start)
    bar = tqdm(
        total=total,
        initial=start,
        unit="B",
        unit_scale=True,
        desc=Path(part.name).stem,
        disable=not progress,
    )
    with bar:
        for chunk in response.iter_content(CHUNK_BYTES):
            part.write(chunk)
            bar.update(len(chunk))
    if total is not None and _size(part) != total:
        raise requests.ConnectionError(f"received {_size(part)} of {total} bytes")


def _check(remote: RemoteFile, part: BinaryIO) -> None:
    """Remove what is not the file that was wanted, or not all of it.

    Raises:
        InputError: it is not.
    """
    part.flush()
    part.seek(0)
    received = hashlib.file_digest(part, "sha256").hexdigest()
    part.seek(0)
    if remote.sha256 not in (None, received):
        part.truncate(0)
        raise InputError(
            f"{remote.url} has changed or was damaged on the way, and was removed: "
            f"expected SHA-256 {remote.sha256}, received {received}"
        )
    if not (remote.sha256 or _is_whole(remote, part)):
        part.truncate(0)
        raise InputError(
            f"{remote.url} came damaged or not to its end, and was removed; run again, or put the "
            "file there by hand"
        )


def _is_whole(remote: RemoteFile, part: BinaryIO) -> bool:
    """Whether a format with a checksum of its own says so, and it is no web page."""
    try:
        if remote.name.endswith(".zip"):
            return zipfile.is_zipfile(part)  # members are checked when they are unpacked
        if remote.name.endswith(".gz"):
            with gzip.open(part) as packed:
                while packed.read(CHUNK_BYTES):
                    pass
    except (OSError, EOFError, zlib.error):
        return False
    part.seek(0)
    return not part.read(99).lstrip().lower().startswith((b"<!doctype", b"<html"))


@contextlib.contextmanager
def unpacking(archive: Path, member: str, fetched: bool) -> Iterator[None]:
    """Remove `archive` after the block if it was `fetched`; what was put there by hand stays.

    Raises:
        InputError: it is damaged, encrypted, or does not hold what is wanted.
    """
    try:
        yield
        if fetched:
            archive.unlink()
    except (
        zipfile.BadZipFile,
        tarfile.TarError,
        zlib.error,
        EOFError,
        OSError,
        LookupError,
        RuntimeError,  # encrypted, or packed in a way that Python does not know
    ) as error:
        remedy = "put another one there, or remove it"
        if fetched:
            archive.unlink()
            remedy = "it was removed: run again"
        raise InputError(
            f"{archive} is damaged or holds no {member} ({error}); {remedy}"
        ) from error


def _extract(archive: Path, member: str) -> None:
    """Write one file of a zip `archive` beside it."""
    with zipfile.ZipFile(archive) as contents:
        if contents.getinfo(member).file_size > MOST_UNPACKED_BYTES:
            raise zipfile.BadZipFile(f"{member} is larger than any corpus")
        with (
            contents.open(member) as packed,
            atomic_path(archive.with_name(member)) as path,
            open(path, "wb") as file,
        ):
            shutil.copyfileobj(packed, file)


def _size(file: BinaryIO) -> int:
    file.flush()
    return os.fstat(file.fileno()).st_size


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
    if isinstance(error, ValueError):  # ours: an address, or an answer, that is no good
        return str(error)
    return "no connection, or it broke"
