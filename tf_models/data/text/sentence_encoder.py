"""Sentences become ids that a model can read, or a line that says why not."""

from collections.abc import Iterable
from dataclasses import dataclass

from tf_models.data.text.normalization import normalize_source, single_spaced
from tf_models.data.text.tokenizer import SubwordTokenizer
from tf_models.errors import InputError

SHOWN_CHARACTERS = 40


@dataclass(frozen=True)
class SentenceEncoder:
    """Turns sentences into ids that a model can read.

    tokenizer: of their language.
    max_length: most tokens of a sentence, start and end included.
    cuts: whether a longer one loses its end; else it is refused.
    normalizes: whether typographic marks are read as plain ones, as in training sources.
    """

    tokenizer: SubwordTokenizer
    max_length: int
    cuts: bool = False
    normalizes: bool = True

    def ids(self, sentence: str) -> list[int]:
        """Ids of a sentence of any length, of which nothing may be known."""
        text = normalize_source(sentence) if self.normalizes else single_spaced(sentence)
        return self.tokenizer.encode(text)

    def encode(self, sentence: str) -> list[int]:
        """Ids of a sentence, from start to end token. Raises InputError: it is no text, is empty,
        holds a NUL byte, has no known token, or too many.
        """
        check_sentence(sentence)
        ids = self.ids(sentence)
        if not self.tokenizer.knows_any(ids):
            raise InputError(f"the tokenizer has no pieces for the sentence {_shown(sentence)}")
        if len(ids) > self.max_length and not self.cuts:
            raise InputError(
                f"the sentence has {len(ids)} tokens with start and end, and the model's positions "
                f"end at {self.max_length}: {_shown(sentence)} …"
            )
        return self.cut(ids)

    def cut(self, ids: list[int]) -> list[int]:
        """The first ids and the end token, as many as the model can read."""
        return ids if len(ids) <= self.max_length else [*ids[: self.max_length - 1], ids[-1]]

    def can_encode(self, sentence: str) -> bool:
        """Whether `encode` accepts the sentence."""
        try:
            self.encode(sentence)
        except InputError:
            return False
        return True


def list_of_sentences(sentences: Iterable[str]) -> list[str]:
    """A list of sentences; an InputError for one text, whose letters would count as sentences."""
    if isinstance(sentences, str):
        raise InputError(f"expected a list of sentences; received {_shown(sentences)}")
    return list(sentences)


def check_text(sentence: object, what: str = "a sentence") -> None:
    """Check that a sentence is text. Raises InputError: it is of another type."""
    if not isinstance(sentence, str):
        shown = repr(sentence)[:SHOWN_CHARACTERS]
        raise InputError(f"{what} must be text; received {type(sentence).__name__}: {shown}")


def check_sentence(sentence: str) -> None:
    """Check that a tokenizer can read a sentence. Raises InputError: it is no text, is empty, holds
    a NUL byte, or was not UTF-8 on the command line.
    """
    check_text(sentence)
    if not sentence.strip():
        raise InputError("the sentence is empty")
    if "\0" in sentence:
        raise InputError(f"the sentence holds a NUL byte: {_shown(sentence)}")
    if any("\ud800" <= char <= "\udfff" for char in sentence):
        raise InputError(f"the sentence is not UTF-8: {_shown(sentence)}")


def _shown(sentence: str) -> str:
    return repr(sentence[:SHOWN_CHARACTERS])
