"""Corpora that are downloaded once into a cache folder.

A file that is in the cache is used without asking the network. Only a complete file, with the
right checksum where one is known, gets its name. Where none is known, a format with a checksum of
its own (zip, gzip) says whether it is complete, or else the length that the server told.
"""

import contextlib
import gzip
import os
import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests

from tf_models.errors import InputError
from tf_models.files import atomic_path, check_is_file

TIMEOUT_SECONDS = (10, 30)  # to connect, to wait for more
RETRIES = 2
CHUNK_BYTES = 1 << 16
MAX_UNPACKED_BYTES = 4 << 30  # of a file in an archive; a bomb has more
THIS_MACHINE = ("127.0.0.1", "localhost", "::1")
# manythings.org refuses clients that do not look like a browser. With "identity" the length that
# the server tells is that of the file.
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


def cached_corpus(name: str, data_dir: str | os.PathLike | None = None) -> Path:
    """Return the folder, in `data_dir` or else the `default_cache`, that holds the files of a
    corpus of `DOWNLOADS`; fetch the missing ones. Raises InputError: a file could not be fetched or
    is not what was expected. The message says which, and where to put it by hand.
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
        fetched = fetch(remote, path, remedy)
        if remote.member:
            with unpacking(path, remote.member, fetched):
                _extract(path, remote.member)
    return folder


def default_cache() -> Path:
    """The cache folder of this user, where the system wants it: `~/.cache/tf_models` on Linux."""
    import pooch  # late: in a notebook its bar warns of a package that is not needed

    return Path(pooch.os_cache("tf_models"))


def fetch(remote: RemoteFile, path: Path, remedy: str) -> bool:
    """Download `remote` to `path`, with a bar on stderr, unless it is there already. Returns
    whether it was downloaded now; otherwise it was put there before. Raises InputError: no
    connection, an error status, a web page in place of the file, a wrong checksum, or `path` cannot
    be written. Nothing is left of what came. The `remedy`, what to do without a network, closes the
    message.
    """
    if os.path.exists(path):  # False, not an error, where we may not look
        check_is_file(path)
        return False

    import pooch

    def download(url: str, file: str, store: pooch.Pooch) -> None:
        hooks = {"response": _check_answer}
        options = {"headers": HEADERS, "timeout": TIMEOUT_SECONDS, "hooks": hooks}
        pooch.HTTPDownloader(True, CHUNK_BYTES, **options)(url, file, store)
        if remote.sha256 is None:
            _check_whole(remote, Path(file))

    pooch.get_logger().setLevel("ERROR")
    store = pooch.create(
        path.parent,
        base_url="",
        registry={path.name: remote.sha256},
        urls={path.name: remote.url},
        retry_if_failed=RETRIES,
    )
    try:
        store.fetch(path.name, downloader=download)
        return True
    except requests.RequestException as error:  # before OSError, of which it is one
        raise InputError(f"cannot download {remote.url} ({_reason(error)}); {remedy}") from error
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error
    except ValueError as error:
        raise InputError(f"{remote.url} was not kept: {error}; {remedy}") from error


def _check_answer(response: requests.Response, **options: Any) -> None:
    """Refuse an answer that somebody on the way may have changed, and a web page to log in."""
    address = urljoin(response.url, response.headers.get("Location", ""))
    if urlsplit(address).scheme != "https" and urlsplit(address).hostname not in THIS_MACHINE:
        raise requests.exceptions.InvalidSchema(f"redirected to {address}, without https")
    if response.ok and not response.is_redirect:
        if "html" in response.headers.get("Content-Type", "").lower():
            raise requests.exceptions.InvalidURL("a web page came in its place, perhaps to log in")
        if not {"Content-Length", "Transfer-Encoding"} & response.headers.keys():
            raise requests.exceptions.InvalidHeader("the server does not say how long the file is")


def _check_whole(remote: RemoteFile, file: Path) -> None:
    """Raise a ValueError for a web page, or a file without a known checksum whose format says that
    it is not complete.
    """
    try:
        whole = not remote.name.endswith(".zip") or zipfile.is_zipfile(file)
        if remote.name.endswith(".gz"):
            with gzip.open(file) as packed:
                while packed.read(CHUNK_BYTES):
                    pass
    except (OSError, EOFError, zlib.error):
        whole = False
    with file.open("rb") as stream:
        begins_as_page = stream.read(99).lstrip().lower().startswith((b"<!doctype", b"<html"))
    if begins_as_page or not whole:
        raise ValueError("it came damaged or not to its end")


@contextlib.contextmanager
def unpacking(archive: Path, member: str, fetched: bool) -> Iterator[None]:
    """Remove `archive` after the block if it was `fetched`; what was put there by hand stays.
    Raises InputError: it is damaged, encrypted, or does not hold what is wanted.
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
        if contents.getinfo(member).file_size > MAX_UNPACKED_BYTES:
            raise zipfile.BadZipFile(f"{member} is larger than any corpus")
        with (
            contents.open(member) as packed,
            atomic_path(archive.with_name(member)) as path,
            open(path, "wb") as file,
        ):
            shutil.copyfileobj(packed, file)


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
