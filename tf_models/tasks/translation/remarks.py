"""What a sentence has that the training sentences did not have, in words for the reader."""

import json
import lzma
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from tf_models.data.sentences import split_words
from tf_models.data.text.alphabet import PLAIN_MARKS, describe_lacking
from tf_models.data.text.word_list import WordList
from tf_models.errors import InputError, error_message
from tf_models.files import atomic_path, check_is_file
from tf_models.training.run_directory import RunDirectory

_END = re.compile(r"""(?:(?<!\.)\.|[!?])["')\]]*$""")  # "Well ..." goes on
_OPENING = "\"'(["
_ABBREVIATION = re.compile(
    r"(?:Mrs?|Ms|Dr|Prof|St|Mt|Jr|Sr|Hr|Fr|vs|etc|bzw|ca|(?!I\.)(?:[^\W\d_]\.)*[^\W\d_])\."
)
_BEFORE_NUMBER = re.compile(r"(?:No|Nr)\.")
_ORDINAL = re.compile(r"\d{1,2}\.")  # "am 3. Mai", as German and many others write


@dataclass(frozen=True)
class Remarks:
    """What training sentences did not have; as a string one line, empty if there is nothing.

    lacking: what the tokenizer's alphabet lacks, in order; each with what is read in its place, a
        letter without its accents, or with nothing: it is left out.
    sentences: how many there are; a model learns one at a time.
    tokens: of all, start and end included, if no training sentence had as many, else 0.
    longest: tokens of the longest training sentence.
    in_capitals: whether all is in capitals, which no training sentence had.
    in_target_language: whether more of its words are known of the target language alone than of the
        source language alone: it may be translated already.
    unknown_words: words and marks that no training sentence had, in order; each with a form that
        one had, in another case, or None.
    """

    lacking: Mapping[str, str] = field(default_factory=dict)
    sentences: int = 1
    tokens: int = 0
    longest: int = 0
    in_capitals: bool = False
    in_target_language: bool = False
    unknown_words: Mapping[str, str | None] = field(default_factory=dict)

    def __str__(self) -> str:
        said = [describe_lacking(self.lacking)] if self.lacking else []
        if self.sentences > 1:
            said.append(f"{self.sentences} sentences on one line; give each a line of its own")
        if self.tokens:
            said.append(f"{self.tokens} tokens, and the longest training sentence {self.longest}")
        if self.in_capitals:
            said.append("capitals throughout, and no training sentence was")
        if self.in_target_language:
            said.append("its words are those of the target language; is it translated already?")
        elif self.unknown_words:
            words = (
                f"{word} ({form} is known)" if form else word
                for word, form in self.unknown_words.items()
            )
            said.append(f"not in the training sentences, so guessed: {', '.join(words)}")
        return "; ".join(said)


@dataclass(frozen=True)
class TrainingSentences:
    """What a run keeps of the sentences that it was trained to read.

    longest: tokens of the longest, start and end included.
    words: of all, in lower case for a tokenizer that knows no other; None if they are not known, as
        of a corpus that was prepared, and of runs of earlier versions.
    target_words: of their translations, likewise.
    """

    longest: int
    words: WordList | None = None
    target_words: WordList | None = None

    @classmethod
    def load(cls, run: RunDirectory, limit: int) -> "TrainingSentences":
        """What `save` wrote, or else what is known without it.

        Args:
            run: that was trained.
            limit: tokens of a training sentence, at most.

        Raises:
            InputError: the file is damaged.
        """
        file = run.words_file
        if not file.exists():
            return cls(limit)
        try:
            check_is_file(file)
            found = json.loads(lzma.decompress(file.read_bytes()))
            texts = found["words"], found.get("target_words")
            return cls(int(found["longest"]), *(text and WordList(str(text)) for text in texts))
        except (OSError, lzma.LZMAError, ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"{file} is damaged ({error_message(error)}); remove it to go on without it"
            ) from error

    def save(self, run: RunDirectory) -> None:
        """Write words.json.xz, if words are known."""
        if self.words is None:
            return
        found = {"longest": self.longest, "words": self.words.text}
        if self.target_words:
            found["target_words"] = self.target_words.text
        with atomic_path(run.words_file) as path:
            path.write_bytes(lzma.compress(json.dumps(found, ensure_ascii=False).encode()))

    def with_those_of(self, start: "TrainingSentences") -> "TrainingSentences":
        """These and the sentences of the run that the training started from."""
        sides = (self.words, start.words), (self.target_words, start.target_words)
        both = (
            WordList(" ".join(sorted(own.words | its.words))) if own and its else None
            for own, its in sides
        )
        return TrainingSentences(max(self.longest, start.longest), *both)

    @cached_property
    def never_met(self) -> str:
        """The marks in `PLAIN_MARKS` that the training sentences did not have, if that is known."""
        words, marks = self.words, set().union(*map("".join, PLAIN_MARKS.items()))
        return "".join(sorted(m for m in marks if m not in words.text)) if words else ""

    def remarks(self, sentence: str, tokens: int, language: str) -> Remarks:
        """What is to be said of a sentence.

        Args:
            sentence: as the tokenizer reads it.
            tokens: how many it has, start and end included.
            language: its two-letter code.
        """
        long = tokens > self.longest
        return Remarks(
            sentences=count_sentences(sentence, language),
            tokens=tokens if long else 0,
            longest=self.longest if long else 0,
            in_capitals=self._in_capitals(sentence),
            in_target_language=self._in_target_language(sentence),
            unknown_words=self.words.unknown(sentence) if self.words else {},
        )

    def _in_target_language(self, sentence: str) -> bool:
        if not (self.words and self.target_words):
            return False
        words = split_words(sentence)
        sides = (self.words, self.target_words)
        source, target = ({word for word in words if side.knows(word)} for side in sides)
        return len(target - source) > len(source - target)

    def _in_capitals(self, sentence: str) -> bool:
        """Whether there are no small letters, and not only names that are written so: "USA!"."""
        words = [word for word in split_words(sentence) if len(word) > 1 and word.isupper()]
        known = self.words.words if self.words else ()
        return sentence.isupper() and not all(word in known for word in words)


def count_sentences(text: str, language: str) -> int:
    """How many sentences stand in a text: "Mr. Lee is in the U.S. Army." is one."""

    def ends(part: str, following: str) -> bool:
        word, next_word = part.lstrip(_OPENING), following.lstrip(_OPENING)
        goes_on = next_word[:1].islower() and text != text.lower()
        goes_on |= _ABBREVIATION.fullmatch(word) is not None
        goes_on |= next_word[:1].isdigit() and _BEFORE_NUMBER.fullmatch(word) is not None
        goes_on |= language != "en" and _ORDINAL.fullmatch(word) is not None
        return not goes_on and _END.search(part) is not None

    return 1 + sum(ends(*two) for two in pairwise(text.split()))
