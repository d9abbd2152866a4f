"""Layout of the token ids.

A subword model with `pieces` pieces (BPEmb's `vs`) gives the layout

    0                 padding, and nothing else
    1                 <unk>, which is 0 in BPEmb's models: a padding mask would hide it
    2 … pieces - 1    subword pieces (2 is the unused </s>)
    pieces            start of sentence
    pieces + 1        end of sentence

so the vocabulary holds `pieces + 2` ids: 10002 for the articles' 10000 pieces.
"""

from collections.abc import Iterable, Iterator
from itertools import takewhile

PADDING_ID = 0
UNKNOWN_ID = 1  # <unk>, in decoding alone: `encode` leaves unknown characters out
UNKNOWN_ID_OF_BPEMB = 0  # <unk> in BPEmb's models, and in those that are trained here


class IdLayout:
    """Special ids that follow from `pieces`, which a subclass defines."""

    pieces: int

    @property
    def start_id(self) -> int:
        """Id of `<start>`, which opens every sentence."""
        return self.pieces

    @property
    def end_id(self) -> int:
        """Id of `<end>`, which closes every sentence."""
        return self.pieces + 1

    @property
    def vocabulary_size(self) -> int:
        """Number of ids, special tokens included."""
        return self.pieces + 2

    def until_end(self, ids: Iterable[int]) -> Iterator[int]:
        """The ids before the first `<end>`, without padding and `<start>`."""
        before_end = takewhile(lambda i: i != self.end_id, ids)
        return (int(i) for i in before_end if i not in (PADDING_ID, self.start_id))
