"""Tokenizers: sentences to ids of subwords, and back.

Subwords are those of a sentencepiece model behind the BPEmb class; `tf_models.ids` says which id
`<unk>`, start and end get.
"""

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import bpemb

from tf_models.data.words import SPECIAL_TOKENS, normalize_source, single_spaced, without_accents
from tf_models.errors import InputError, StrPath
from tf_models.files import atomic_path
from tf_models.ids import PADDING_ID, UNKNOWN_ID, UNKNOWN_ID_OF_BPEMB, IdLayout

BPEMB = "bpemb"  # the pretrained kind of tokenizer; "separate" and "joint" are trained
MODELS = ("source.model", "target.model")  # files in the folder of a pair of tokenizers
SHOWN_CHARACTERS = 40  # an error quotes so many of a sentence that cannot be used


class SubwordTokenizer(IdLayout):
    """Subword tokenizer of one language: text to ids and back.

    Args:
        model_file: a sentencepiece model; an InputError if it is none.
        language: BPEmb's code of the language, "en".
        lowercase: BPEmb's preprocessing: lower case, and 0 for every digit. Its pretrained
            models know nothing else; a model that is trained here keeps case and digits.

    Example:
        >>> from tf_models.translation.settings import RUN_DIR
        >>> model_file = RUN_DIR / "tokenizer" / "source.model"
        >>> tokenizer = SubwordTokenizer(model_file, "en", lowercase=False)
        >>> print(tokenizer.tokens(tokenizer.encode("The old dog sleeps.")))
        ['<start>', '▁The', '▁old', '▁dog', '▁sleeps', '.', '<end>']
    """

    def __init__(self, model_file: StrPath, language: str, lowercase: bool):
        self.model_file = Path(model_file)
        self.language = language
        self.lowercase = lowercase
        try:
            # BPEmb knows the languages of its pretrained models only.
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
            plain = "".join(char if self.spells(char) else without_accents(char) for char in text)
            known = "".join(filter(self.spells, plain))
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
        labels = dict(zip(special, SPECIAL_TOKENS, strict=True))
        piece = self._bpemb.spm.id_to_piece
        return [labels.get(int(i)) or piece(int(i)) for i in ids]

    def unknown_rate(self, texts: Iterable[str]) -> float:
        """Share of unknown pieces in `texts`, 0 to 1."""
        ids = [i for text in texts for i in self._bpemb.encode_ids(normalize_source(text))]
        return ids.count(UNKNOWN_ID_OF_BPEMB) / max(1, len(ids))

    def knows_any(self, ids: Iterable[int]) -> bool:
        """True if any id is a piece that is not unknown, special or a space."""
        return not {*SPECIAL_TOKENS, "▁"}.issuperset(self.tokens(ids))

    def describe(self) -> str:
        """Language, sizes and special ids, on one line."""
        return (
            f"{self.language}: {self.pieces} pieces, {self.vocabulary_size} ids; "
            f"padding {PADDING_ID}, unknown {UNKNOWN_ID}, start {self.start_id}, end {self.end_id}"
        )

    def copy_to(self, path: StrPath) -> "SubwordTokenizer":
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
    def load(
        cls, folder: StrPath, languages: Sequence[str], tokenizer_kind: str
    ) -> "TokenizerPair":
        """Load the copies of `copy_to`; kind: "separate", "joint" or "bpemb"."""
        lowercase = tokenizer_kind == BPEMB
        source, target = (
            SubwordTokenizer(Path(folder, name), language, lowercase)
            for name, language in zip(MODELS, languages, strict=True)
        )
        return cls(source, target)

    def copy_to(self, folder: StrPath) -> "TokenizerPair":
        """Copy both models into `folder`, under the names `MODELS`."""
        source, target = (
            tokenizer.copy_to(Path(folder, name))
            for tokenizer, name in zip((self.source, self.target), MODELS, strict=True)
        )
        return TokenizerPair(source, target)


@dataclass(frozen=True)
class SentenceEncoder:
    """Encoder of sentences as ids that a model can read."""

    tokenizer: SubwordTokenizer
    max_length: int  # most tokens, start and end included
    cuts: bool = False  # True if a longer sentence loses its end; else it is refused
    normalizes: bool = True  # True if typographic marks are read as plain ones, as in training

    def ids(self, sentence: str) -> list[int]:
        """Ids of any sentence, uncut, without unknown characters."""
        text = normalize_source(sentence) if self.normalizes else single_spaced(sentence)
        return self.tokenizer.encode(text)

    def encode(self, sentence: str) -> list[int]:
        """Ids of a sentence; an InputError if it has no known token, or too many."""
        ids = self.ids(sentence)
        if not self.tokenizer.knows_any(ids):
            raise InputError(
                f"the sentence is empty, or has unknown characters only: "
                f"{sentence[:SHOWN_CHARACTERS]!r}"
            )
        if len(ids) > self.max_length and not self.cuts:
            raise InputError(
                f"the sentence has {len(ids)} tokens with start and end, and the model's positions "
                f"end at {self.max_length}: {sentence[:SHOWN_CHARACTERS]!r} …"
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
