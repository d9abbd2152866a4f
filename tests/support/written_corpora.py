"""Small corpora that tests write and read back."""

import gzip
import lzma
from pathlib import Path

from tf_models.data.corpora import Corpus
from tf_models.data.pairs import SentencePair


def write(path: Path, text: str) -> str:
    compress = {".gz": gzip.compress, ".xz": lzma.compress}.get(path.suffix, bytes)
    path.write_bytes(compress(text.encode()))
    return str(path)


def numbered(language: str, count: int = 10) -> str:
    return "".join(f"{language} {number}\n" for number in range(count))


def table(count: int = 10, end: str = "\n") -> str:
    return "".join(f"en {number}\tde {number}{end}" for number in range(count))


def all_pairs(corpus: Corpus) -> list[SentencePair]:
    return corpus.train + corpus.validation + corpus.test


def languages(corpus: Corpus) -> tuple[str, str]:
    return corpus.source_language, corpus.target_language
