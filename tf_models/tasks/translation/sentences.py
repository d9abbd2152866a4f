"""Sentences of a user: checked, and turned into ids."""

from dataclasses import dataclass

from tf_models.data.text.tokenizer import SubwordTokenizer
from tf_models.errors import InputError

SHOWN_CHARACTERS = 40


@dataclass(frozen=True)
class SentenceEncoder:
    """Turns sentences into ids that a model can read.

    tokenizer: of their language.
    longest: most tokens of a sentence, start and end included.
    """

    tokenizer: SubwordTokenizer
    longest: int

    def encode(self, sentence: str) -> list[int]:
        """Ids of a sentence, from start to end token.

        Raises:
            InputError: it is empty, holds a NUL byte, has too many tokens, or no known one.
        """
        shown = repr(sentence[:SHOWN_CHARACTERS])
        if not sentence.strip():
            raise InputError("the sentence is empty")
        if "\0" in sentence:
            raise InputError(f"the sentence holds a NUL byte: {shown}")
        if any("\ud800" <= char <= "\udfff" for char in sentence):
            raise InputError(f"the sentence is not UTF-8: {shown}")
        ids = self.tokenizer.encode(sentence)
        if not self.tokenizer.knows_any(ids):
            raise InputError(f"the tokenizer's alphabet has nothing of the sentence: {shown}")
        if len(ids) > self.longest:
            raise InputError(
                f"the sentence has {len(ids)} tokens with start and end, and the model's positions "
                f"end at {self.longest}: {shown} …"
            )
        return ids

    def can_encode(self, sentence: str) -> bool:
        """Whether `encode` accepts the sentence."""
        try:
            self.encode(sentence)
        except InputError:
            return False
        return True
