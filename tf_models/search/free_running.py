"""Teacher forcing beside free running: what a decoder loses by reading its own words.

In training a decoder reads the right word before each one that it predicts (teacher forcing,
Williams & Zipser 1989). Later it can read only what it has written itself, and one wrong word may
lead to others: "exposure bias" (Ranzato et al. 2016).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tf_models.ids import PADDING_ID, UNKNOWN_ID


def right_tokens(right: np.ndarray, written: np.ndarray) -> np.ndarray:
    """Which ids of those written, (n, any length), stand where they should: (n, len) bool.

    None is right at the padding of the right ones, (n, len), nor where these are unknown.
    """
    length = right.shape[1]
    written = np.pad(written[:, :length], ((0, 0), (0, max(0, length - written.shape[1]))))
    return (written == right) & (right != PADDING_ID) & (right != UNKNOWN_ID)


@dataclass(frozen=True)
class ForcedAndFree:
    """Shares of what was right, 0 to 1.

    forced_exact, free_exact: of each sequence, whether all of it was right, (n,) bool. They are the
        same but for ties: as long as its words are right, a decoder reads the right ones.
    forced_accuracy, free_accuracy: of all tokens, end tokens included: the right one at the right
        place.
    """

    forced_exact: np.ndarray
    free_exact: np.ndarray
    forced_accuracy: float
    free_accuracy: float

    @classmethod
    def of(
        cls, right: Sequence[np.ndarray], forced: Sequence[np.ndarray], free: Sequence[np.ndarray]
    ) -> "ForcedAndFree":
        """From batches of ids, each padded with 0.

        Args:
            right: (batch, len) each, without start token.
            forced: predictions while the right tokens were read, (batch, len) each.
            free: what was written while its own tokens were read, (batch, any length) each.
        """
        totals = np.concatenate([np.sum(ids != PADDING_ID, axis=1) for ids in right])  # (n,)
        counts = [
            np.concatenate(
                [right_tokens(*pair).sum(axis=1) for pair in zip(right, written, strict=True)]
            )
            for written in (forced, free)
        ]
        exact = (count == totals for count in counts)
        return cls(*exact, *(float(count.sum() / totals.sum()) for count in counts))

    def lines(self, what: str) -> list[str]:
        """A small table; `what` names the sequences: "answers"."""
        rows = (
            ("the right words (teacher forcing)", self.forced_exact, self.forced_accuracy),
            ("its own words (free running)", self.free_exact, self.free_accuracy),
        )
        title = "the decoder reads"
        return [f"{title:36} exact {what:12} right tokens"] + [
            f"{name:36} {exact.mean():>{6 + len(what)}.1%} {'':5} {accuracy:>12.2%}"
            for name, exact, accuracy in rows
        ]
