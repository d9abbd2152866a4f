"""BPEmb's pretrained subword models and embedding vectors, from a local cache or its host."""

import gzip
import io
import tarfile
from pathlib import Path
from typing import IO, cast

import numpy as np

from tf_models.data.text.downloads import MAX_UNPACKED_BYTES, RemoteFile, fetch, unpacking
from tf_models.data.text.tokenizer import SENTENCEPIECE_UNKNOWN, SubwordTokenizer, import_bpemb
from tf_models.errors import InputError
from tf_models.files import atomic_path, check_is_file
from tf_models.ids import PADDING_ID, UNKNOWN_ID

DIMENSIONS = (25, 50, 100, 200, 300)
HOST = "https://nlp.h-its.org/bpemb/"


def pretrained_tokenizer(
    language: str, pieces: int, data_dir: Path | None = None
) -> SubwordTokenizer:
    """BPEmb's model of `pieces` pieces for a language; it lowercases, and writes 0 for digits.

    Args:
        language: a code such as "en", "de".
        pieces: 1000, 3000, 5000, 10000 … (BPEmb's `vs`; not every language has every size).
        data_dir: folder of downloads, of which BPEmb's are in a folder `bpemb`; BPEmb's own,
            `~/.cache/bpemb`, if left out.

    Raises:
        InputError: BPEmb has no such model, or it is neither in the cache nor to be fetched.
    """
    bpemb = import_bpemb()
    try:
        sizes = sorted(bpemb.BPEmb.available_vocab_sizes(language))
    except ValueError as error:
        raise InputError(f"BPEmb knows no language {language!r}; pass a code as en, de") from error
    if pieces not in sizes:
        known = ", ".join(map(str, sizes))
        raise InputError(f"BPEmb has no {language!r} model of {pieces} pieces; it has {known}")
    path = _local_file(bpemb.BPEmb.model_tpl.format(lang=language, vs=pieces), data_dir, suffix="")
    return SubwordTokenizer(path, language, lowercase=True)


def pretrained_vectors(
    language: str, pieces: int, dimensions: int, data_dir: Path | None = None
) -> np.ndarray:
    """BPEmb's embedding vectors, moved to this project's ids: (pieces, dimensions), float32. Raises
    InputError: there are none of this size in the cache, nor to be fetched.
    """
    bpemb = import_bpemb()
    if dimensions not in DIMENSIONS:
        known = ", ".join(map(str, DIMENSIONS))
        raise InputError(
            f"BPEmb has no {language!r} vectors of {dimensions} dimensions; it has {known}"
        )
    name = bpemb.BPEmb.emb_tpl.format(lang=language, vs=pieces, dim=dimensions)
    path = _local_file(name, data_dir, suffix=bpemb.BPEmb.archive_suffix)
    try:
        vectors = np.array(bpemb.util.load_word2vec_file(path).vectors, np.float32)
    except (OSError, ValueError, EOFError) as error:
        raise InputError(f"{path} is no word2vec file: {error}") from error
    if vectors.shape != (pieces, dimensions):
        raise InputError(f"{path} holds {vectors.shape} vectors, not {(pieces, dimensions)}")
    vectors[UNKNOWN_ID] = vectors[SENTENCEPIECE_UNKNOWN]
    vectors[PADDING_ID] = 0
    return vectors


def _local_file(name: str, data_dir: Path | None, suffix: str) -> Path:
    """Path of one of BPEmb's files, fetched if it is not there.

    BPEmb's own download checks no certificate and leaves a bare ConnectionError.
    """
    # Without a folder, where BPEmb itself keeps its downloads.
    cache = Path(data_dir) if data_dir else Path.home() / ".cache"
    path = cache / "bpemb" / name
    if path.exists():
        check_is_file(path)
        return path
    archive = path.with_name(path.name + suffix)
    remedy = (
        f"put {path.name} into {path.parent}, or pass --data-dir DIR where DIR/bpemb/{name} is, "
        "or do without BPEmb"
    )
    fetched = fetch(RemoteFile(f"{HOST}{name}{suffix}"), archive, remedy=remedy)
    if suffix:
        with unpacking(archive, path.name, fetched):
            _unpack(archive, path)
    return path


def _unpack(archive: Path, path: Path) -> None:
    """Write the one file of a tar.gz `archive` to `path`."""
    with gzip.open(archive) as packed:
        unpacked = io.BytesIO(packed.read(MAX_UNPACKED_BYTES))  # to the checksum at the end
        if packed.read(1):
            raise tarfile.TarError("it unpacks to more than any vectors need")
    with tarfile.open(fileobj=unpacked) as contents:
        named = (one for one in contents if one.isfile() and Path(one.name).name == path.name)
        member = next(named, None)
        if member is None:
            raise tarfile.TarError("no such file in it")
        data = cast(IO[bytes], contents.extractfile(member)).read()  # it is a file
    with atomic_path(path) as temporary:
        temporary.write_bytes(data)
