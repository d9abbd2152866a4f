"""Token ids, for every part that makes or reads them.

A subword model with `pieces` pieces (BPEmb's `vs`) gives the layout

    0                 padding, and nothing else
    1                 unknown
    2 … pieces - 1    subword pieces (2 is the unused </s>)
    pieces            start of sentence
    pieces + 1        end of sentence

so the vocabulary holds `pieces + 2` ids: 10002 for the articles' 10000 pieces.
"""

PADDING_ID = 0
UNKNOWN_ID = 1


def start_id(pieces: int) -> int:
    """Id that opens every sentence."""
    return pieces


def end_id(pieces: int) -> int:
    """Id that closes every sentence."""
    return pieces + 1


def vocabulary_size(pieces: int) -> int:
    """Number of ids, padding, start and end included."""
    return pieces + 2
