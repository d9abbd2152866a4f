"""BPEmb's pretrained subword models and embedding vectors, from a local cache or its host."""

from pathlib import Path

import bpemb
import numpy as np
import pooch

from tf_models.data.downloads import fetch
from tf_models.data.tokenizers import SENTENCEPIECE_UNKNOWN, SubwordTokenizer
from tf_models.errors import InputError
from tf_models.ids import PADDING_ID, UNKNOWN_ID

DIMENSIONS = (25, 50, 100, 200, 300)


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
    try:
        sizes = sorted(bpemb.BPEmb.available_vocab_sizes(language))
    except ValueError as error:
        raise InputError(f"BPEmb knows no language {language!r}; pass a code as en, de") from error
    if pieces not in sizes:
        known = ", ".join(map(str, sizes))
        raise InputError(f"BPEmb has no {language!r} model of {pieces} pieces; it has {known}")
    name = bpemb.BPEmb.model_tpl.format(lang=language, vs=pieces)
    return SubwordTokenizer(_local_file(name, data_dir), language, lowercase=True)


def pretrained_vectors(
    language: str, pieces: int, dimensions: int, data_dir: Path | None = None
) -> np.ndarray:
    """BPEmb's embedding vectors, moved to this project's ids: (pieces, dimensions), float32.

    Raises:
        InputError: there are none of this size in the cache, nor to be fetched.
    """
    if dimensions not in DIMENSIONS:
        known = ", ".join(map(str, DIMENSIONS))
        raise InputError(
            f"BPEmb has no {language!r} vectors of {dimensions} dimensions; it has {known}"
        )
    name = bpemb.BPEmb.emb_tpl.format(lang=language, vs=pieces, dim=dimensions)
    path = _local_file(name, data_dir, bpemb.BPEmb.archive_suffix)
    vectors = np.array(bpemb.util.load_word2vec_file(path).vectors, np.float32)
    vectors[UNKNOWN_ID] = vectors[SENTENCEPIECE_UNKNOWN]
    vectors[PADDING_ID] = 0
    return vectors


def _local_file(name: str, data_dir: Path | None, suffix: str = "") -> Path:
    """Path of one of BPEmb's files, fetched if it is not there.

    BPEmb's own download checks no certificate.
    """
    path = Path(data_dir or Path.home() / ".cache") / "bpemb" / name
    if path.exists():
        return path
    archive = path.with_name(path.name + suffix)
    url, processor = f"{bpemb.BPEmb.base_url}{name}{suffix}", pooch.Untar() if suffix else None
    return fetch(url, archive, processor=processor)[0]
