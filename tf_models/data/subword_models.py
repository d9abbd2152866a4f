"""Subword models: trained on a corpus, or BPEmb's pretrained ones."""

import io
import string
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import bpemb
import numpy as np
import sentencepiece

from tf_models.data.tokenizers import SubwordTokenizer
from tf_models.errors import InputError, StrPath
from tf_models.files import atomic_path, fetch
from tf_models.ids import PADDING_ID, UNKNOWN_ID, UNKNOWN_ID_OF_BPEMB

# A model that is trained here can spell these characters, whatever the corpus, if it has at least
# so many pieces: a smaller one has no room for them.
PIECES_FOR_ALL = 500
CHARACTERS = f"{string.ascii_letters}{string.digits}äöüßÄÖÜ.,?!:;-'\""
MAX_BYTES = (1 << 16) - 1  # most bytes of a text: a longer word would crash sentencepiece
DIMENSIONS = (25, 50, 100, 200, 300)  # widths of the vectors that BPEmb offers


def train_tokenizer(
    texts: Sequence[str], language: str, pieces: int, model_file: StrPath
) -> SubwordTokenizer:
    """Train a BPE model on `texts`, with case and digits, and save it.

    It can spell `CHARACTERS` even if the texts lack them (from `PIECES_FOR_ALL` pieces on).

    Raises:
        InputError: the texts are empty, or `pieces` is too small for their characters.
    """
    model = io.BytesIO()
    characters = CHARACTERS if pieces >= PIECES_FOR_ALL else ""
    try:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=chain(texts, characters),
            model_writer=model,
            model_type="bpe",
            vocab_size=pieces,
            hard_vocab_limit=False,  # a corpus with fewer different pieces gives a smaller model
            character_coverage=1.0,
            normalization_rule_name="identity",  # a model writes the same characters as the texts
            remove_extra_whitespaces=False,
            split_digits=True,  # numbers are copied digit by digit
            max_sentence_length=MAX_BYTES,
            num_threads=1,  # the same model on every machine
            minloglevel=2,
        )
    except (RuntimeError, OSError) as error:
        reason = str(error).rpartition("] ")[-1] or "no text"  # without the file and line of C++
        raise InputError(f"cannot train {pieces} {language} subword pieces: {reason}") from error
    model_file = Path(model_file)
    model_file.parent.mkdir(parents=True, exist_ok=True)
    with atomic_path(model_file) as temporary:
        temporary.write_bytes(model.getvalue())
    return SubwordTokenizer(model_file, language, lowercase=False)


def pretrained_tokenizer(
    language: str, pieces: int, data_dir: StrPath | None = None
) -> SubwordTokenizer:
    """BPEmb's pretrained model of a language: lower case, 0 for every digit.

    Args:
        language: a code such as "en", "de".
        pieces: 1000, 3000, 5000, 10000 … (BPEmb's `vs`; not every language has every size).
        data_dir: folder of downloads, of which BPEmb's are in a folder `bpemb`; BPEmb's own,
            `~/.cache/bpemb`, if left out.

    Raises:
        InputError: BPEmb has no such model, or it is neither in the cache nor to be fetched.
    """
    known = language in bpemb.BPEmb.available_languages
    sizes = sorted(bpemb.BPEmb.available_vocab_sizes(language)) if known else ()
    if pieces not in sizes:
        shown = ", ".join(map(str, sizes)) or "none of this language (en, de, …)"
        raise InputError(f"BPEmb has no {language!r} model of {pieces} pieces; it has {shown}")
    name = bpemb.BPEmb.model_tpl.format(lang=language, vs=pieces)
    return SubwordTokenizer(_local_file(name, data_dir), language, lowercase=True)


def pretrained_vectors(
    language: str, pieces: int, dimensions: int, data_dir: StrPath | None = None
) -> np.ndarray:
    """BPEmb's vectors by this project's ids: (pieces, dimensions) float32."""
    if dimensions not in DIMENSIONS:
        shown = ", ".join(map(str, DIMENSIONS))
        raise InputError(f"BPEmb's vectors have {shown} dimensions; received {dimensions}")
    name = bpemb.BPEmb.emb_tpl.format(lang=language, vs=pieces, dim=dimensions)
    path = _local_file(name, data_dir, bpemb.BPEmb.archive_suffix)
    vectors = np.array(bpemb.util.load_word2vec_file(path).vectors, np.float32)
    vectors[UNKNOWN_ID] = vectors[UNKNOWN_ID_OF_BPEMB]
    vectors[PADDING_ID] = 0
    return vectors


def _local_file(name: str, data_dir: StrPath | None, suffix: str = "") -> Path:
    """Fetch a file of BPEmb if need be; BPEmb would verify no certificate."""
    path = Path(data_dir or Path.home() / ".cache") / "bpemb" / name
    if path.exists():
        return path
    url = f"{bpemb.BPEmb.base_url}{name}{suffix}"
    return fetch(url, path.with_name(path.name + suffix), unpack=bool(suffix))[0]
