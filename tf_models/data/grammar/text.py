"""From a list of words to a written sentence; the same for both languages."""

from __future__ import annotations


def sentence_text(words: list[str], mark: str) -> str:
    """Join the words, settle the commas, capitalise the first letter and add the final mark.

    Embedded clauses put a comma on both sides; where two meet only one is written, and none
    before the final mark.
    """
    settled: list[str] = []
    for word in " ".join(words).split():
        if word != ",":
            settled.append(word)
        elif settled and not settled[-1].endswith(","):
            settled[-1] += ","
    text = " ".join(settled).rstrip(",") + mark
    return text[0].upper() + text[1:]
