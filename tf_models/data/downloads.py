"""Corpora and models that are downloaded once into a cache folder.

A file that is in the cache is used without asking the network.
"""

import os
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pooch

from tf_models.errors import InputError

# manythings.org refuses clients that do not look like a browser.
BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
TATOEBA = "https://www.manythings.org/anki/deu-eng.zip"  # rebuilt often: no checksum is known
MULTI30K = "https://raw.githubusercontent.com/multi30k/dataset/master/data/task1/raw"
MULTI30K_SHA256 = {
    "train.en.gz": "d79cfa999dd4c51d2cb42499b6796d5a882c3a8a961923c25a898c90f8bbd56f",
    "train.de.gz": "726e39b2fa9eb9ffb6dc763fb35a179f80fae06ffc5d28b6ace5faa883de28a6",
    "val.en.gz": "14f7d25ddd868909a9213e361768460edcacdd6ab9d1e77b92560dc10c10dc28",
    "val.de.gz": "f0cba2f995189cf5770f29a8a9a537a3ad3f51657ad873405082ff6863a5e75a",
    "test_2016_flickr.en.gz": "611d361c6334bc7246101d48097c13cf5c4413c5befc793cc629934359d532d9",
    "test_2016_flickr.de.gz": "9204244e408ccb38d2a55cfcd344df15005fc42a07a6e55ca6c52b6ababb8cc8",
}


def cached_corpus(name: str, data_dir: str | os.PathLike | None = None) -> Path:
    """Folder of the files of "tatoeba" or "multi30k", in `data_dir` or else the user's cache; those
    that are missing are downloaded.
    """
    folder = Path(data_dir or pooch.os_cache("tf_models")) / name
    if name == "multi30k":
        for file, sha256 in MULTI30K_SHA256.items():
            if not (folder / file).exists():
                fetch(f"{MULTI30K}/{file}", folder / file, sha256)
    elif not (folder / "deu.txt").exists():
        fetch(TATOEBA, folder / "deu-eng.zip", processor=pooch.Unzip(["deu.txt"], extract_dir="."))
    return folder


def fetch(
    url: str, path: Path, sha256: str | None = None, processor: Callable | None = None
) -> list[Path]:
    """Download a file to `path`; return it, or the files that pooch's `processor` unpacks from it.

    Raises:
        InputError: it cannot be fetched, or is damaged.
    """
    pooch.get_logger().setLevel("WARNING")
    browser = pooch.HTTPDownloader(progressbar=True, headers={"User-Agent": BROWSER})
    try:
        files = pooch.retrieve(url, sha256, path.name, path.parent, processor, browser)
    except (OSError, EOFError, ValueError, zipfile.BadZipFile, tarfile.TarError) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(
            f"cannot download {url} ({reason}); put that file at {path} by hand"
        ) from error
    return [Path(file) for file in ([files] if isinstance(files, str) else files)]
