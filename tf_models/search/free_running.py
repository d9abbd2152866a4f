"""Teacher forcing beside free running.

In training a decoder reads the right word before each one that it predicts (teacher forcing,
Williams & Zipser 1989). Later it can read only what it has written itself, and one wrong word may
lead to others: "exposure bias" (Ranzato et al. 2016).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tf_models.ids import PADDING_ID, UNKNOWN_ID


def right_tokens(right: np.ndarray, written: np.ndarray) -> np.ndarray:
    """Equality of ids written (n, any length) with the right ones (n, len): (n, len) bool; False
    where the right ones are padding or unknown.
    """
    missing = max(0, right.shape[1] - written.shape[1])
    written = np.pad(written, ((0, 0), (0, missing)))[:, : right.shape[1]]
    return (written == right) & (right != PADDING_ID) & (right != UNKNOWN_ID)


class ForcedAndFree(NamedTuple):
    """Agreement of a decoder with the right tokens, reading those and reading its own.

    forced_exact, free_exact: whether all of a sequence was right, (n,) bool. They are the same but
        for ties: as long as its words are right, a decoder reads the right ones.
    forced_accuracy, free_accuracy: share of all tokens, end tokens included, at the right place.
    """

    forced_exact: np.ndarray
    free_exact: np.ndarray
    forced_accuracy: float
    free_accuracy: float

    @classmethod
    def of(
        cls, right: Sequence[np.ndarray], forced: Sequence[np.ndarray], free: Sequence[np.ndarray]
    ) -> "ForcedAndFree":
        """From batches of ids, padded with 0: the right ones without start token (batch, len),
        predictions while these are read, and ids written freely (batch, any length).
        """

        def counts(written: Sequence[np.ndarray]) -> np.ndarray:
            pairs = zip(right, written, strict=True)
            return np.concatenate([right_tokens(*pair).sum(axis=1) for pair in pairs])

        totals = np.concatenate([np.sum(ids != PADDING_ID, axis=1) for ids in right])  # (n,)
        found = counts(forced), counts(free)
        accuracies = (float(count.sum() / totals.sum()) for count in found)
        return cls(*(count == totals for count in found), *accuracies)

    def lines(self, what: str) -> list[str]:
        """A small table; `what` names the sequences: "answers"."""
        rows = (
            ("the right words (teacher forcing)", self.forced_exact, self.forced_accuracy),
            ("its own words (free running)", self.free_exact, self.free_accuracy),
        )
        return [f"{'the decoder reads':36} exact {what:12} right tokens"] + [
            f"{name:36} {exact.mean():>{6 + len(what)}.1%} {'':5} {accuracy:>12.2%}"
            for name, exact, accuracy in rows
        ]
