"""Words to ids, where a text has few different ones."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from tf_models.data.text_files import read_lines
from tf_models.errors import InputError
from tf_models.files import write_text
from tf_models.ids import UNKNOWN_ID, IdLayout

UNKNOWN_WORD = "<unk>"
_FIRST = UNKNOWN_ID + 1  # id of a word


class WordVocabulary(IdLayout):
    """Whole words and their ids, laid out as `tf_models.ids` says.

    Args:
        words: each once.
    """

    def __init__(self, words: Sequence[str]):
        self.words = tuple(words)
        self._ids = {word: i for i, word in enumerate(self.words, start=_FIRST)}

    @classmethod
    def of(cls, texts: Iterable[Iterable[str]]) -> "WordVocabulary":
        """The words of texts, in the order of the alphabet."""
        return cls(sorted({word for words in texts for word in words}))

    @classmethod
    def load(cls, path: Path) -> "WordVocabulary":
        """What `save` wrote; an InputError if there is no such file, or it is damaged."""
        words = read_lines(path)
        if (
            not words
            or len(set(words)) < len(words)
            or any(word.split() != [word] for word in words)
        ):
            raise InputError(f"{path} is damaged: it must hold a word on each line, each once")
        return cls(words)

    def save(self, path: Path) -> None:
        """Write a line for each word; the folder is made."""
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
        return [UNKNOWN_WORD if i == UNKNOWN_ID else self.words[i - _FIRST] for i in kept]
