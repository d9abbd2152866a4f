"""Attention of heads from "it" to its noun, over many sentence pairs.

One sentence shows nothing: a head that always attends to the nearest noun is right in half of them.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import tensorflow as tf

from tf_models.data.annotated import (
    BY_MEANING,
    SECOND_NOUN,
    AnnotatedPair,
    embedded_file,
    pronoun_of,
    read_annotated,
)
from tf_models.translation.attention import AttentionMaps
from tf_models.translation.translate import Translator
from tf_models.word_attention import merge_pieces

KINDS = ("encoder", "cross")  # "it" is read, and er, sie or es is written
ENGLISH = ("it", "it's")
RESOLVES = 0.85  # least share of the pairs for which a head is said to do a thing


class PronounContrast(NamedTuple):
    """Attention of each head to the two nouns that "it" may stand for.

    right, other: mean weights of the noun that is meant, and of the other one: (layers, heads).
    resolved: share of the pairs in which the right noun has more than the other.
    nearest: share in which the noun that is nearer to "it" has more.
    nearest_is_right: share in which the nearer noun is the right one, whatever the head.
    adjective: mean weight of the adjective that decides.
    it: mean weight of "it" itself while its pronoun is written; None in the encoder.
    """

    right: np.ndarray
    other: np.ndarray
    resolved: np.ndarray
    nearest: np.ndarray
    nearest_is_right: float
    adjective: np.ndarray
    it: np.ndarray | None = None

    @property
    def best(self) -> tuple[int, int]:
        """Layer and head, from 0: the first of `ranking`."""
        return self.ranking[0]

    @property
    def ranking(self) -> list[tuple[int, int]]:
        """All heads, layer and number from 0, by attention to the right noun.

        If no head of cross-attention does, by attention to "it" itself.
        """
        score = self.right - self.other  # (layers, heads)
        if self.it is not None and score.max() < 0.5:
            score = self.it
        return _ranking(score)

    @property
    def ranking_by_adjective(self) -> list[tuple[int, int]]:
        """All heads, by attention to the adjective."""
        return _ranking(self.adjective)

    def verdict(self, layer: int, head: int) -> str:
        """The noun that a head, numbered from 0, attends to, in words."""
        if self.it is not None and self.it[layer, head] > 0.5:
            return "attends to “it” itself"
        if self.adjective[layer, head] > 0.5:
            return "attends to the adjective that decides"
        if self.resolved[layer, head] >= RESOLVES:
            attends = "attends" if self.right[layer, head] > 0.5 else "attends a little more"
            return f"{attends} to the noun that is meant"
        if self.nearest[layer, head] >= RESOLVES:
            return "attends to the nearest noun, whichever is meant"
        return "does not tell the two nouns apart"


def pronoun_pairs(
    split: str = "validation", family: str = BY_MEANING, corpus: str = "everyday"
) -> list[AnnotatedPair]:
    """Embedded pairs with two nouns and an "it", BY_MEANING or BY_PLACE."""
    _, pairs = read_annotated(embedded_file(corpus))
    return [pair for pair in pairs if (pair.split, pair.kind) == (split, family)]


def readable_pairs(translator: Translator, pairs: Sequence[AnnotatedPair]) -> list[AnnotatedPair]:
    """Pairs without unknown characters, and not too long for the model."""
    return [
        pair
        for pair in pairs
        if translator.source.can_encode(pair.source)
        and translator.target.can_encode(pair.target)
        and not translator.tokenizers.source.unknown_characters(pair.source)
    ]


def pronoun_contrasts(
    translator: Translator, pairs: Sequence[AnnotatedPair]
) -> dict[str, PronounContrast]:
    """Contrasts in an English-German translator's attention, by kind.

    Of the `readable_pairs`; empty if there are none.
    """
    read, written = translator.tokenizers.source, translator.tokenizers.target
    pairs = readable_pairs(translator, pairs)
    if not pairs:
        return {}
    sources = [translator.source.encode(pair.source) for pair in pairs]
    targets = [translator.target.encode(pair.target) for pair in pairs]
    inp, tar = (
        tf.ragged.constant(rows, dtype=tf.int32).to_tensor()
        for rows in (sources, [ids[:-1] for ids in targets])
    )
    attention = translator.model.attention(inp, tar)
    columns = [read.tokens(ids) for ids in sources]
    rows = {"encoder": columns, "cross": [written.tokens(ids[1:]) for ids in targets]}
    return {
        kind: pronoun_contrast(
            map(AttentionMaps, attention[kind].numpy(), rows[kind], columns), pairs, kind
        )
        for kind in KINDS
        if kind in attention
    }


def pronoun_contrast(
    maps: Iterable[AttentionMaps], pairs: Iterable[AnnotatedPair], kind: str = "encoder"
) -> PronounContrast:
    """Contrast of all heads in one kind of attention, from a map of each pair.

    Rows: English pieces, or the German ones written. Columns: English pieces. Padding may follow.
    """
    right = []
    other = []
    nearest = []
    is_nearest = []
    adjective = []
    itself = []
    for (weights, rows, columns), pair in zip(maps, pairs, strict=True):
        unpadded = weights[..., : len(rows), : len(columns)]
        words, rows, columns = merge_pieces(unpadded, rows, columns)
        of_it = words[:, :, _last(rows, (*ENGLISH, pronoun_of(pair.target)))]
        # "guinea pig" are two words
        places = [columns.index(noun.split()[-1]) for noun in (pair.first_noun, pair.second_noun)]
        farther, nearer = (of_it[..., place] for place in places)
        is_nearest.append(pair.reference == SECOND_NOUN)
        right.append(nearer if is_nearest[-1] else farther)
        other.append(farther if is_nearest[-1] else nearer)
        nearest.append(nearer > farther)
        adjective.append(of_it[..., _last(columns, pair.adjective.split())])
        itself.append(of_it[..., _last(columns, ENGLISH)])
    return PronounContrast(
        right=np.mean(right, axis=0),
        other=np.mean(other, axis=0),
        resolved=np.mean(np.greater(right, other), axis=0),
        nearest=np.mean(nearest, axis=0),
        nearest_is_right=float(np.mean(is_nearest)),
        adjective=np.mean(adjective, axis=0),
        it=np.mean(itself, axis=0) if kind == "cross" else None,
    )


def _last(words: Sequence[str], wanted: Sequence[str | None]) -> int:
    return max(i for i, word in enumerate(words) if word in wanted)


def _ranking(score: np.ndarray) -> list[tuple[int, int]]:
    """Layers and heads, from 0, with the largest (layers, heads) first."""
    places = np.argsort(-score, axis=None, kind="stable")
    return [divmod(int(place), score.shape[1]) for place in places]
