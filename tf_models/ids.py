"""Token ids, for every part that makes or reads them.

A subword model with `pieces` pieces (BPEmb's `vs`) gives the layout

    0                 padding, and nothing else
    1                 unknown
    2 … pieces - 1    subword pieces (2 is the unused </s>)
    pieces            start of sentence
    pieces + 1        end of sentence

so the vocabulary holds `pieces + 2` ids: 10002 for the articles' 10000 pieces.
"""

from collections.abc import Iterable, Iterator

PADDING_ID = 0
UNKNOWN_ID = 1


class IdLayout:
    """The ids that follow from the number of pieces, which a subclass says: its `pieces`."""

    pieces: int

    @property
    def start_id(self) -> int:
        """Id that opens every sentence."""
        return self.pieces

    @property
    def end_id(self) -> int:
        """Id that closes every sentence."""
        return self.pieces + 1

    @property
    def vocabulary_size(self) -> int:
        """Number of ids, padding, start and end included."""
        return self.pieces + 2

    def until_end(self, ids: Iterable[int]) -> Iterator[int]:
        """The ids before the first end id, without padding and start."""
        for i in ids:
            if i == self.end_id:
                return
            if i not in (PADDING_ID, self.start_id):
                yield int(i)
