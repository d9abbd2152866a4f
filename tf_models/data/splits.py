"""Training, validation and test pairs: random choice and splits.

One English sentence of Tatoeba has several German translations, and goes to one side with all of
them: else a model would be tested on sentences that it was trained on. A hash of (seed, sentence)
decides on the side, so it does not depend on the order of the pairs.
"""

import hashlib
from collections.abc import Mapping, Sequence

import numpy as np

from tf_models.data.pairs import SPLITS, SentencePair
from tf_models.errors import InputError

HELD_OUT_SHARE_OF_SOURCES = 0.02
MAX_HELD_OUT_SOURCES = 2000


def source_key(pair: tuple) -> str:
    """Key of a source sentence, the same for any case and spacing."""
    return " ".join(pair[0].casefold().split())


def choose_pairs(pairs: Sequence[SentencePair], count: int, seed: int = 0) -> list[SentencePair]:
    """Choose `count` pairs of random source sentences, in the given order."""
    order = np.argsort(_digests(pairs, f"choice {seed}"), kind="stable")
    return [pairs[i] for i in np.sort(order[:count])]


def hold_out(
    splits: Mapping[str, list], share: float = HELD_OUT_SHARE_OF_SOURCES, seed: int = 0
) -> tuple[list, list, list]:
    """Training, validation and test pairs; missing splits are held out.

    Args:
        splits: "train", perhaps "validation" and "test": pairs, whose first part is the source.
            Sources that differ only in case or white space count as the same.
        share: part of the training sources whose pairs make up a missing split; 1 to 2000 of them.

    Raises:
        InputError: no source sentence would be left to train on.
    """
    digests = _digests(splits["train"], f"split {seed}")
    sources = np.unique(digests)
    size = min(max(1, int(share * len(sources))), MAX_HELD_OUT_SOURCES)
    validation_size, test_size = (0 if split in splits else size for split in SPLITS[1:])
    if validation_size + test_size >= len(sources):
        raise InputError(
            f"too few sentences to hold out {validation_size} for validation and {test_size} for "
            f"the test; received {len(sources)} distinct source sentences"
        )
    # The first sources of the test and of training: below them are those for validation.
    firsts = sources[[validation_size, validation_size + test_size]]
    parts = np.searchsorted(firsts, digests, side="right")  # 0 validation, 1 test, 2 training
    validation, test, train = (
        [splits["train"][i] for i in np.flatnonzero(parts == number)] for number in range(3)
    )
    return train, splits.get("validation", validation), splits.get("test", test)


def _digests(pairs: Sequence[tuple], salt: str) -> np.ndarray:
    """A hash of each source sentence, (pairs,) uint64."""
    keys = (f"{salt}\0{source_key(pair)}".encode() for pair in pairs)
    digests = (hashlib.blake2b(key, digest_size=8).digest() for key in keys)
    return np.frombuffer(b"".join(digests), ">u8").astype(np.uint64)
