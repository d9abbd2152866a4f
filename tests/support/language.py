"""The toy language of the tests: "The dog sees the fox.", with six nouns and four verbs."""

from itertools import permutations, product
from pathlib import Path

from tf_models.data.corpora import Corpus
from tf_models.data.labelled import LabelledText, LabelledTexts
from tf_models.data.pairs import SentencePair

NOUNS = {
    "dog": "Hund",
    "fox": "Fuchs",
    "bear": "Bär",
    "wolf": "Wolf",
    "man": "Mann",
    "guest": "Gast",
}
VERBS = {"sees": "sieht", "hears": "hört", "loves": "liebt", "knows": "kennt"}
PAIRS = [
    SentencePair(f"The {a} {verb} the {b}.", f"Der {NOUNS[a]} {VERBS[verb]} den {NOUNS[b]}.")
    for a, b, verb in product(NOUNS, NOUNS, VERBS)
]


def corpus() -> Corpus:
    """A hundred pairs: most for training, six batches of the tiny settings; a few held out."""
    pairs = PAIRS[:100]
    training = [pair for i, pair in enumerate(pairs) if i % 7]
    held_out = pairs[::7]
    return Corpus("toy language", "en", "de", training, held_out[:5], held_out[5:])


def labelled(*verbs: str) -> list[LabelledText]:
    """Do the nouns stand in alphabetical order? The words are the same in both classes."""
    return [
        LabelledText(f"The {a} {verb} the {b}.", "rising" if a < b else "falling", verb)
        for verb in verbs or VERBS
        for a, b in permutations(NOUNS, 2)
    ]


def labelled_texts() -> LabelledTexts:
    """Four fifths of the labelled sentences for training."""
    every = labelled()
    training = [one for i, one in enumerate(every) if i % 5]
    return LabelledTexts("order", ("falling", "rising"), training, every[::10], every[5::10])


def write_pairs(path: Path) -> Path:
    """Write a tab-separated corpus."""
    lines = [f"{pair.source}\t{pair.target}\n" for pair in PAIRS]
    path.write_text("".join(lines), encoding="utf-8")
    return path


def write_labelled(path: Path, *verbs: str) -> Path:
    """Write labelled sentences with these verbs: label, tab, sentence."""
    lines = [f"{one.label}\t{one.text}\n" for one in labelled(*verbs)]
    path.write_text("".join(lines), encoding="utf-8")
    return path
