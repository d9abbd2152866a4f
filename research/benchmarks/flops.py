"""Floating-point operations of a training step, the same for all systems."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

FORWARD_AND_BACKWARD = 3  # the gradient of each factor of a product costs as much as the product


class Sizes(Protocol):
    """What the number of operations depends on."""

    def forward(self, s: np.ndarray, t: np.ndarray) -> np.ndarray:
        """Operations of a forward pass over sentences of s source and t target tokens."""


@dataclass(frozen=True)
class TransformerSizes:
    """The names are `Transformer`'s."""

    num_layers: int
    d_model: int
    dff: int
    target_vocab_size: int

    def forward(self, s: np.ndarray, t: np.ndarray) -> np.ndarray:
        """Attention counts len_q·len_k in full, though the look-ahead mask blocks half of it."""
        d, dff = self.d_model, self.dff
        encoder_layer = _attention(d, s, s) + _feed_forward(d, dff, s)
        decoder_layer = _attention(d, t, t) + _attention(d, t, s) + _feed_forward(d, dff, t)
        output = 2 * t * d * self.target_vocab_size  # (t, d) x (d, target_vocab_size)
        return self.num_layers * (encoder_layer + decoder_layer) + output

    def decoder_weights(self) -> int:
        """Numbers in the matrices that each step of a search reads: those of keys and values of the
        source are read once for a sentence.
        """
        layer = (4 + 2) * self.d_model**2 + 2 * self.d_model * self.dff
        return self.num_layers * layer + self.d_model * self.target_vocab_size


@dataclass(frozen=True)
class RecurrentSizes:
    """The names are `RecurrentTranslator`'s, with GRUs."""

    embedding_dim: int
    units: int
    attends: bool
    target_vocab_size: int

    def forward(self, s: np.ndarray, t: np.ndarray) -> np.ndarray:
        """An addition and a tanh in the attention count as a product of one element each."""
        e, u = self.embedding_dim, self.units
        encoder = 2 * s * 2 * (e + u) * 3 * u  # two directions of three gates
        bridge = 2 * (2 * u) * u
        decoder = 2 * t * (e + 2 * u + u) * 3 * u
        attention = 2 * (s * 2 * u * u + t * u * u + 2 * t * s * u + t * s * 2 * u)
        output = 2 * t * ((3 * u + e) * e + e * self.target_vocab_size)
        return encoder + bridge + decoder + self.attends * attention + output


def training_flop(
    sizes: Sizes, source_lengths: Sequence[int], target_lengths: Sequence[int]
) -> float:
    """Floating-point operations of one training step, for real tokens only.

    A matrix product of (M, K) with (K, N) counts 2·M·N·K, and three times that for forward and
    backward. Padding does not count, so that batches with less of it do not look worse. Nothing
    else counts: embeddings are looked up, and softmax, normalisation, dropout and the optimizer
    take few operations compared with the products.

    Args:
        sizes: of the model.
        source_lengths: tokens of each source as the encoder reads it, (batch,).
        target_lengths: tokens of each target as the decoder reads it, one less than with both
            start and end, (batch,).
    """
    s, t = np.asarray(source_lengths, np.float64), np.asarray(target_lengths, np.float64)
    return float(FORWARD_AND_BACKWARD * sizes.forward(s, t).sum())


def _attention(d: int, queries: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """Forward pass of a block in which `queries` tokens attend to `keys` tokens; heads share d."""
    of_queries = 2 * (2 * queries * d * d)  # wq and dense: (queries, d) x (d, d)
    of_keys = 2 * (2 * keys * d * d)  # wk and wv
    products = 2 * (2 * queries * keys * d)  # Q K^T, and the weights times V
    return of_queries + of_keys + products


def _feed_forward(d: int, dff: int, tokens: np.ndarray) -> np.ndarray:
    return 2 * (2 * tokens * d * dff)  # (tokens, d) x (d, dff), then x (dff, d)
