"""All attention of a translator while it is forced to write given translations."""

from collections.abc import Iterator, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

import numpy as np
import tensorflow as tf
from tqdm import tqdm

from tf_models.data.batches import Rows
from tf_models.translation.translate import Translator

AT_ONCE = 50  # pairs


class Sides(Protocol):
    """A source and its translation."""

    @property
    def source(self) -> str: ...

    @property
    def target(self) -> str: ...


Pair = TypeVar("Pair", bound=Sides)


class ForcedAttention(NamedTuple, Generic[Pair]):
    """Attention of one pair, without padding.

    weights: by kind, (layers, heads, rows, columns). A row of the decoder's two kinds is the token
        that is read; the token that it helps to write is the next one.
    source: pieces from start to end token.
    target: pieces from start to end token; the end token is written, and never read.
    """

    pair: Pair
    weights: dict[str, np.ndarray]
    source: list[str]
    target: list[str]


def forced_attention(
    translator: Translator, pairs: Sequence[Pair]
) -> Iterator[ForcedAttention[Pair]]:
    """Attention of each pair.

    Args:
        translator: that can read and write the pairs.
        pairs: sources and the translations to force.
    """
    attention = tf.function(
        lambda inp, tar: dict(translator.model.attention(inp, tar)),
        input_signature=[tf.TensorSpec((None, None), tf.int32)] * 2,
    )
    read, write = translator.tokenizers.source, translator.tokenizers.target
    with tqdm(total=len(pairs), unit="pair", disable=None) as bar:
        for first in range(0, len(pairs), AT_ONCE):
            some = pairs[first : first + AT_ONCE]
            inp = [translator.source.encode(pair.source) for pair in some]
            tar = [translator.target.encode(pair.target) for pair in some]
            weights = attention(Rows(inp).padded(), Rows(ids[:-1] for ids in tar).padded())
            found = {kind: values.numpy() for kind, values in weights.items()}
            for i, (pair, ids, out) in enumerate(zip(some, inp, tar, strict=True)):
                lengths = _lengths(len(ids), len(out) - 1)
                of_pair = {kind: _cut(found[kind][i], lengths[kind]) for kind in found}
                yield ForcedAttention(pair, of_pair, read.tokens(ids), write.tokens(out))
            bar.update(len(some))


def _lengths(source: int, target: int) -> dict[str, tuple[int, int]]:
    """Rows and columns of each kind."""
    return {"encoder": (source, source), "decoder": (target, target), "cross": (target, source)}


def _cut(weights: np.ndarray, lengths: tuple[int, int]) -> np.ndarray:
    rows, columns = lengths
    return weights[..., :rows, :columns]
