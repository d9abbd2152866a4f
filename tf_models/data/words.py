"""Words of sentences, their vocabulary, and normalised typography."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path

from tf_models.errors import StrPath
from tf_models.files import write_text
from tf_models.ids import UNKNOWN_ID, IdLayout

SPECIAL_TOKENS = ("<pad>", "<unk>", "<start>", "<end>")  # labels of ids that are no pieces

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


_FIRST_WORD_ID = UNKNOWN_ID + 1


class WordVocabulary(IdLayout):
    """Whole words, each once, and their ids, laid out as `tf_models.ids` says."""

    def __init__(self, words: Sequence[str]):
        self.words = tuple(words)
        self._ids = {word: i for i, word in enumerate(self.words, start=_FIRST_WORD_ID)}

    @classmethod
    def of(cls, texts: Iterable[Iterable[str]]) -> "WordVocabulary":
        """Vocabulary of the words of texts, sorted."""
        return cls(sorted({word for words in texts for word in words}))

    @classmethod
    def load(cls, path: StrPath) -> "WordVocabulary":
        """The vocabulary that `save` wrote."""
        return cls(Path(path).read_text(encoding="utf-8").split())

    def save(self, path: StrPath) -> None:
        """Write a line for each word; create the folder."""
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, "".join(f"{word}\n" for word in self.words))

    @property
    def pieces(self) -> int:
        """Number of ids before the start id: padding, unknown and the words."""
        return _FIRST_WORD_ID + len(self.words)

    def ids(self, words: Iterable[str]) -> list[int]:
        """Ids of words, `UNKNOWN_ID` for those that are not in the vocabulary."""
        return [self._ids.get(word, UNKNOWN_ID) for word in words]

    def unknown(self, words: Iterable[str]) -> list[str]:
        """Words that are not in the vocabulary, each once, in order."""
        return [word for word in dict.fromkeys(words) if word not in self._ids]

    def words_of(self, ids: Iterable[int]) -> list[str]:
        """Words of ids up to the end id; padding and start are left out."""
        return [
            SPECIAL_TOKENS[UNKNOWN_ID] if i == UNKNOWN_ID else self.words[i - _FIRST_WORD_ID]
            for i in self.until_end(ids)
        ]


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


def word_forms(sentences: Iterable[str]) -> frozenset[str]:
    """Normalised words of training sentences, to find unknown words.

    In lower case, with 0 for every digit and without a possessive 's: "8:15" makes "7:30" known.
    Words in capitals stay so: a model reads DOG as other subwords than dog.
    """
    return frozenset(word_form(word) for sentence in sentences for word in split_words(sentence))


def word_form(word: str) -> str:
    """Word as `word_forms` has it."""
    stem = re.sub(r"\d", "0", re.sub(r"(?<=\w)['’]s?$", "", word))
    return stem if len(stem) > 1 and stem.isupper() else stem.lower()
