"""Tokenizers: BPEmb's pretrained subwords, BPE of the corpus, whole words.

Subwords are those of a sentencepiece model behind the BPEmb class; `tf_models.ids` says which id
`<unk>`, start and end get.
"""

import io
import re
import shutil
import string
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import bpemb
import numpy as np
import sentencepiece

from tf_models.errors import InputError
from tf_models.files import atomic_path, fetch, write_text
from tf_models.ids import PADDING_ID, UNKNOWN_ID, UNKNOWN_ID_OF_BPEMB, IdLayout

# What a model of the corpus' own can spell, whatever the corpus; a very small one has no room.
PIECES_FOR_ALL = 500
CHARACTERS = f"{string.ascii_letters}{string.digits}äöüßÄÖÜ.,?!:;-'\""
BPEMB = "bpemb"  # of the kinds of tokenizers the pretrained one; "separate" and "joint" are trained
MODELS = ("source.model", "target.model")  # in a folder of both languages' tokenizers
MAX_BYTES = (1 << 16) - 1  # of a text; a longer word would end the process in sentencepiece
LABELS = ("<pad>", "<unk>", "<start>", "<end>")  # of the ids that are no pieces
DIMENSIONS = (25, 50, 100, 200, 300)  # of BPEmb's vectors
SHOWN = 40  # of a sentence that cannot be used


class SubwordTokenizer(IdLayout):
    """Subword tokenizer of one language: text to ids and back.

    Args:
        model_file: a sentencepiece model; an InputError if it is none.
        language: BPEmb's code of the language, "en".
        lowercase: BPEmb's preprocessing: lower case, and 0 for every digit. Its pretrained
            models know nothing else; a model of the corpus' own keeps case and digits.

    Example:
        >>> from tf_models.training.run_directory import RUN_DIR
        >>> model_file = RUN_DIR / "tokenizer" / "source.model"
        >>> tokenizer = SubwordTokenizer(model_file, "en", lowercase=False)
        >>> print(tokenizer.tokens(tokenizer.encode("The old dog sleeps.")))
        ['<start>', '▁The', '▁old', '▁dog', '▁sleeps', '.', '<end>']
    """

    def __init__(self, model_file: str | Path, language: str, lowercase: bool):
        self.model_file, self.language, self.lowercase = Path(model_file), language, lowercase
        try:
            # The language chooses among pretrained models; one of our own may be of any.
            self._bpemb = bpemb.BPEmb(
                lang=language if lowercase else "multi",
                dim=300,
                model_file=self.model_file,
                segmentation_only=True,
                preprocess=lowercase,
                vs_fallback=False,
            )
        except (OSError, RuntimeError) as error:
            raise InputError(f"{self.model_file} is missing, or no sentencepiece model") from error

    @property
    def pieces(self) -> int:
        """Number of subword pieces (BPEmb's `vs`): 10000 in the articles."""
        return self._bpemb.vs

    def spells(self, text: str) -> bool:
        """True if every character of a text has a piece."""
        return UNKNOWN_ID_OF_BPEMB not in self._bpemb.encode_ids(text)

    def encode(self, text: str) -> list[int]:
        """Ids of a sentence, from start to end token, without unknown characters."""
        text.encode("utf-8")  # a UnicodeError for words of the command line that were not UTF-8
        ids = self._bpemb.encode_ids(text)
        if UNKNOWN_ID_OF_BPEMB in ids:  # no training step touches its embedding
            plain = (c if self.spells(c) else without_accents(c) for c in text)
            known = "".join(c for c in "".join(plain) if self.spells(c))
            ids = self._bpemb.encode_ids(" ".join(known.split()))
        return [self.start_id, *ids, self.end_id]

    def unknown_characters(self, text: str) -> list[str]:
        """Characters of a sentence that `encode` leaves out, each once, in order."""
        chars = dict.fromkeys(normalize_source(text))
        return [c for c in chars if not self.spells(without_accents(c)) and not self.spells(c)]

    def decode(self, ids: Iterable[int]) -> str:
        """Text of ids up to the first end token, without padding and start."""
        piece_ids = [UNKNOWN_ID_OF_BPEMB if i == UNKNOWN_ID else i for i in self.until_end(ids)]
        return self._bpemb.decode_ids([piece_ids])[0]  # a flat list is decoded id by id

    def tokens(self, ids: Iterable[int]) -> list[str]:
        """Label of each id: a piece ("▁Regisseur"), <pad>, <unk>, <start>, <end>."""
        special = (PADDING_ID, UNKNOWN_ID, self.start_id, self.end_id)
        labels, piece = dict(zip(special, LABELS, strict=True)), self._bpemb.spm.id_to_piece
        return [labels.get(int(i)) or piece(int(i)) for i in ids]

    def unknown_rate(self, texts: Iterable[str]) -> float:
        """Share of unknown pieces in `texts`, 0 to 1."""
        ids = [i for text in texts for i in self._bpemb.encode_ids(normalize_source(text))]
        return ids.count(UNKNOWN_ID_OF_BPEMB) / max(1, len(ids))

    def knows_any(self, ids: Iterable[int]) -> bool:
        """True if any id is a piece that is not unknown, special or a space."""
        return not {*LABELS, "▁"}.issuperset(self.tokens(ids))

    def describe(self) -> str:
        """Language, sizes and special ids, on one line."""
        return (
            f"{self.language}: {self.pieces} pieces, {self.vocabulary_size} ids; "
            f"padding {PADDING_ID}, unknown {UNKNOWN_ID}, start {self.start_id}, end {self.end_id}"
        )

    def copy_to(self, path: str | Path) -> "SubwordTokenizer":
        """Copy the subword model to `path`; return the tokenizer of the copy."""
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_path(path) as temporary:
            shutil.copyfile(self.model_file, temporary)
        return SubwordTokenizer(path, self.language, self.lowercase)


@dataclass(frozen=True)
class TokenizerPair:
    """The tokenizers of the two sides; they may share one model."""

    source: SubwordTokenizer
    target: SubwordTokenizer

    @classmethod
    def load(cls, folder: str | Path, languages: Sequence[str], kind: str) -> "TokenizerPair":
        """Load the copies of `copy_to`; kind: "separate", "joint" or "bpemb"."""
        models = [(Path(folder, name), code) for name, code in zip(MODELS, languages, strict=True)]
        return cls(*(SubwordTokenizer(model, code, kind == BPEMB) for model, code in models))

    def copy_to(self, folder: str | Path) -> "TokenizerPair":
        """Copy both models into `folder`, under the names `MODELS`."""
        sides = zip((self.source, self.target), MODELS, strict=True)
        return TokenizerPair(*(side.copy_to(Path(folder, name)) for side, name in sides))


def train_tokenizer(
    texts: Sequence[str], language: str, pieces: int, model_file: str | Path
) -> SubwordTokenizer:
    """Train a BPE model on `texts`, with case and digits, and save it.

    It can spell `CHARACTERS` even if the texts lack them (from `PIECES_FOR_ALL` pieces on).

    Raises:
        InputError: the texts are empty, or `pieces` is too small for their characters.
    """
    model = io.BytesIO()
    try:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=chain(texts, CHARACTERS if pieces >= PIECES_FOR_ALL else ""),
            model_writer=model,
            model_type="bpe",
            vocab_size=pieces,
            hard_vocab_limit=False,  # a corpus with fewer different pieces gives a smaller model
            character_coverage=1.0,
            normalization_rule_name="identity",  # what it writes is what the texts have
            remove_extra_whitespaces=False,
            split_digits=True,  # numbers are copied digit by digit
            max_sentence_length=MAX_BYTES,
            num_threads=1,  # the same model on every machine
            minloglevel=2,
        )
    except (RuntimeError, OSError) as error:
        reason = str(error).rpartition("] ")[-1] or "no text"  # behind the place in its source
        raise InputError(f"cannot train {pieces} {language} subword pieces: {reason}") from error
    model_file = Path(model_file)
    model_file.parent.mkdir(parents=True, exist_ok=True)
    with atomic_path(model_file) as temporary:
        temporary.write_bytes(model.getvalue())
    return SubwordTokenizer(model_file, language, lowercase=False)


def pretrained_tokenizer(
    language: str, pieces: int, data_dir: str | Path | None = None
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
    language: str, pieces: int, dimensions: int, data_dir: str | Path | None = None
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


def _local_file(name: str, data_dir: str | Path | None, suffix: str = "") -> Path:
    """Fetch a file of BPEmb if need be; BPEmb would verify no certificate."""
    path = Path(data_dir or Path.home() / ".cache") / "bpemb" / name
    if path.exists():
        return path
    url = f"{bpemb.BPEmb.base_url}{name}{suffix}"
    return fetch(url, path.with_name(path.name + suffix), unpack=bool(suffix))[0]


_WORD = re.compile(
    r"(?:Mrs?|Dr)\.|\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’-][^\W\d_]+)*(?:(?<=s)'(?!\w))?|[^\w\s]|\w+"
)
_MARKS = frozenset(",.?!;:")


def split_words(sentence: str) -> list[str]:
    """Words and punctuation marks; apostrophes and hyphens do not split words.

    Example:
        >>> split_words("It didn't, at 7:30.")
        ['It', "didn't", ',', 'at', '7:30', '.']
    """
    return _WORD.findall(sentence)


def join_words(words: Iterable[str]) -> str:
    """Join words to a sentence, without a space before punctuation marks."""
    text = ""
    for word in words:
        text += word if word in _MARKS or not text else f" {word}"
    return text


_FIRST = UNKNOWN_ID + 1  # id of a word


class WordVocabulary(IdLayout):
    """Whole words, each once, and their ids, laid out as `tf_models.ids` says."""

    def __init__(self, words: Sequence[str]):
        self.words = tuple(words)
        self._ids = {word: i for i, word in enumerate(self.words, start=_FIRST)}

    @classmethod
    def of(cls, texts: Iterable[Iterable[str]]) -> "WordVocabulary":
        """Vocabulary of the words of texts, sorted."""
        return cls(sorted({word for words in texts for word in words}))

    @classmethod
    def load(cls, path: str | Path) -> "WordVocabulary":
        """The vocabulary that `save` wrote."""
        return cls(Path(path).read_text(encoding="utf-8").split())

    def save(self, path: str | Path) -> None:
        """Write a line for each word; create the folder."""
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, "".join(f"{word}\n" for word in self.words))

    @property
    def pieces(self) -> int:
        """Number of ids before the start id: padding, unknown and the words."""
        return _FIRST + len(self.words)

    def ids(self, words: Iterable[str]) -> list[int]:
        """Ids of words, `UNKNOWN_ID` for those that are not in the vocabulary."""
        return [self._ids.get(word, UNKNOWN_ID) for word in words]

    def unknown(self, words: Iterable[str]) -> list[str]:
        """Words that are not in the vocabulary, each once, in order."""
        return [word for word in dict.fromkeys(words) if word not in self._ids]

    def words_of(self, ids: Iterable[int]) -> list[str]:
        """Words of ids up to the end id; padding and start are left out."""
        kept = self.until_end(ids)
        return [LABELS[UNKNOWN_ID] if i == UNKNOWN_ID else self.words[i - _FIRST] for i in kept]


PLAIN_MARKS = {  # typographic marks, and the plain ones that mean the same
    **dict.fromkeys("’‘‚‛ʼ´`′‹›", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―−", "-"),
    "…": "...",
}
_TABLE = str.maketrans(PLAIN_MARKS)


def single_spaced(sentence: str) -> str:
    """Sentence in Unicode's NFC, with one space between words."""
    return " ".join(unicodedata.normalize("NFC", sentence).split())


def normalize_source(sentence: str) -> str:
    """Sentence in Unicode's NFC, with plain marks and one space between words.

    Example:
        >>> normalize_source("“It’s  late …”")
        '"It\\'s late ..."'
    """
    return single_spaced(sentence).translate(_TABLE)


def without_accents(char: str) -> str:
    """The plain letters of a character: e for é, fi for the ligature ﬁ."""
    parts = unicodedata.normalize("NFKD", char)
    return "".join(part for part in parts if not unicodedata.combining(part))


@dataclass(frozen=True)
class SentenceEncoder:
    """Encoder of sentences as ids that a model can read."""

    tokenizer: SubwordTokenizer
    max_length: int  # in tokens, start and end included
    cuts: bool = False  # whether a longer sentence loses its end; else it is refused
    normalizes: bool = True  # whether typographic marks are read as plain ones, as in training

    def ids(self, sentence: str) -> list[int]:
        """Ids of any sentence, uncut, without unknown characters."""
        text = normalize_source(sentence) if self.normalizes else single_spaced(sentence)
        return self.tokenizer.encode(text)

    def encode(self, sentence: str) -> list[int]:
        """Ids of a sentence; an InputError if it has no known token, or too many."""
        ids = self.ids(sentence)
        if not self.tokenizer.knows_any(ids):
            raise InputError(
                f"the sentence is empty, or has unknown characters only: {sentence[:SHOWN]!r}"
            )
        if len(ids) > self.max_length and not self.cuts:
            raise InputError(
                f"the sentence has {len(ids)} tokens with start and end, and the model's positions "
                f"end at {self.max_length}: {sentence[:SHOWN]!r} …"
            )
        return self.cut(ids)

    def cut(self, ids: list[int]) -> list[int]:
        """The first ids and the end token, as many as the model can read."""
        return ids if len(ids) <= self.max_length else [*ids[: self.max_length - 1], ids[-1]]

    def can_encode(self, sentence: str) -> bool:
        """True if `encode` accepts the sentence."""
        try:
            return bool(self.encode(sentence))
        except InputError:
            return False
