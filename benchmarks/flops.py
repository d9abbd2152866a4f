"""Floating-point operations of a training step of the Transformer, the same for all systems."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

FORWARD_AND_BACKWARD = 3  # the gradient of each factor of a product costs as much as the product


@dataclass(frozen=True)
class ModelSizes:
    """What the number of operations depends on; the names are `Transformer`'s."""

    num_layers: int
    d_model: int
    dff: int
    target_vocab_size: int


def training_flop(
    sizes: ModelSizes, source_lengths: Sequence[int], target_lengths: Sequence[int]
) -> float:
    """Floating-point operations of one training step, for real tokens only.

    A matrix product of (M, K) with (K, N) counts 2·M·N·K, and three times that for forward and
    backward. Padding does not count, so that batches with less of it do not look worse. Attention
    counts len_q·len_k in full, also where the look-ahead mask blocks half of it. Nothing else
    counts: embeddings are looked up, and softmax, normalisation, dropout and the optimizer take
    few operations compared with the products.

    Args:
        sizes: of the model.
        source_lengths: tokens of each source as the encoder reads it, (batch,).
        target_lengths: tokens of each target as the decoder reads it, one less than with both
            start and end, (batch,).
    """
    s, t = np.asarray(source_lengths, np.float64), np.asarray(target_lengths, np.float64)
    d, dff = sizes.d_model, sizes.dff
    encoder_layer = _attention(d, s, s) + _feed_forward(d, dff, s)
    decoder_layer = _attention(d, t, t) + _attention(d, t, s) + _feed_forward(d, dff, t)
    output = 2 * t * d * sizes.target_vocab_size  # (t, d) x (d, target_vocab_size)
    forward = sizes.num_layers * (encoder_layer + decoder_layer) + output
    return float(FORWARD_AND_BACKWARD * forward.sum())


def _attention(d: int, queries: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """Forward pass of a block in which `queries` tokens attend to `keys` tokens; heads share d."""
    of_queries = 2 * (2 * queries * d * d)  # wq and dense: (queries, d) x (d, d)
    of_keys = 2 * (2 * keys * d * d)  # wk and wv
    products = 2 * (2 * queries * keys * d)  # Q K^T, and the weights times V
    return of_queries + of_keys + products


def _feed_forward(d: int, dff: int, tokens: np.ndarray) -> np.ndarray:
    return 2 * (2 * tokens * d * dff)  # (tokens, d) x (d, dff), then x (dff, d)
