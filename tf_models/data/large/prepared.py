"""A corpus that is larger than memory, in a folder that `prepare_corpus` made.

The folder holds token ids, so it belongs to its tokenizers and to the longest sentences that were
asked for. It needs neither the corpus that it was made from nor a network.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from tf_models.data.large.mapped_pairs import MappedPairs, read_pairs
from tf_models.data.resources import check_memory
from tf_models.data.text.corpora import Corpus
from tf_models.data.text.tokenizer import MODELS, TokenizerPair
from tf_models.errors import InputError, error_message
from tf_models.files import check_is_file, read_json

FORMAT = 2  # of the folder
DESCRIPTION = "prepared.json"  # written last: with it the folder is whole
IDS = "train.arrow"
HELD_OUT = {"validation": "validation.arrow", "test": "test.arrow"}
FILES = (IDS, *HELD_OUT.values(), *MODELS, DESCRIPTION)
# In DESCRIPTION: what was prepared.
DATA = ("corpus", "source_language", "target_language", "training_pairs", "seed", "settings")

# Room for all but the pairs, and for each of them in training (see docs/scale.md).
MEMORY = 3 << 29
MEMORY_PER_PAIR = 100
LESS_MEMORY = "close other programs, or prepare fewer --max-pairs"


@dataclass(frozen=True)
class PreparedCorpus(Corpus):
    """A corpus in a folder of `prepare_corpus`. Its training pairs are `MappedPairs`.

    folder: of the files.
    description: what prepared.json says.
    """

    folder: Path = Path()
    description: Mapping = field(default_factory=dict)

    @property
    def tokenizers(self) -> TokenizerPair:
        """Those that made the ids."""
        languages = (self.source_language, self.target_language)
        return TokenizerPair.load(self.folder, languages, self.description["settings"]["tokenizer"])

    @property
    def encoded(self) -> MappedPairs:
        """The training pairs, on the disk."""
        return cast(MappedPairs, self.train)

    def fingerprint(self) -> str:
        """Of all files: 16 hexadecimal digits."""
        return self.description["fingerprint"]

    def check(self, settings: Any) -> None:
        """Raise an InputError unless the folder was prepared for these settings of a translator."""
        wanted = cache_key(settings.tokenizer, settings.batching.max_lengths)
        made = self.description["settings"]
        for name, value in wanted.items():
            if made[name] != value:
                raise InputError(
                    f"{self.folder} was prepared with {name} {made[name]}; received {value}. Pass "
                    "the settings that it was prepared with, or prepare another folder"
                )


def is_prepared(name: str | os.PathLike) -> bool:
    """Whether `name` is a folder of `prepare_corpus`."""
    return os.path.isfile(os.path.join(name, DESCRIPTION))


def load_prepared(folder: Path) -> PreparedCorpus:
    """Open a folder of `prepare_corpus`, whose ids stay on the disk; an InputError if it is
    damaged, of another version, or even so too large for memory.
    """
    try:
        found = read_json(folder / DESCRIPTION)
        if found["format"] != FORMAT:
            raise InputError(
                f"{folder} has format {found['format']}, and this version reads format {FORMAT}; "
                "prepare the corpus again"
            )
        data = {name: found[name] for name in DATA}
        for name in FILES[:-1]:
            check_is_file(folder / name)
            if (folder / name).stat().st_size != found["bytes"][name]:
                raise InputError(f"{folder / name} is damaged; prepare the corpus again")
        check_memory(MEMORY + MEMORY_PER_PAIR * data["training_pairs"], LESS_MEMORY)
        if fingerprint(folder, data) != found["fingerprint"]:
            raise InputError(
                f"{folder} has other files, or another {DESCRIPTION}, than were prepared; prepare "
                "the corpus again"
            )
    except InputError:  # which is a ValueError, too
        raise
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"{folder / DESCRIPTION} is damaged: {error_message(error)}") from error
    held_out: Iterable[Any] = (list(read_pairs(folder / file)) for file in HELD_OUT.values())
    name, source, target, *_ = data.values()
    pairs: Any = MappedPairs(folder / IDS)
    return PreparedCorpus(name, source, target, pairs, *held_out, folder=folder, description=found)


def fingerprint(folder: Path, data: Mapping[str, object]) -> str:
    """Of what was prepared (`DATA`) and of all files: 16 hexadecimal digits."""
    digest = hashlib.sha256(json.dumps(data).encode())
    for name in FILES[:-1]:
        with open(folder / name, "rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:16]


def cache_key(tokenizer: Any, max_lengths: tuple[int, int]) -> dict[str, object]:
    """What the ids depend on: settings with kind and pieces of a `tokenizer`, and the lengths."""
    return {
        "tokenizer": tokenizer.tokenizer,
        "pieces": tokenizer.pieces,
        "max_lengths": list(max_lengths),
    }
