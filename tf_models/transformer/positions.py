"""Sinusoidal positions (Vaswani et al. 2017, section 3.5)."""

import numpy as np
import tensorflow as tf


def get_angles(pos: np.ndarray, i: np.ndarray, d_model: int) -> np.ndarray:
    """pos / 10000^(2⌊i/2⌋ / d_model); pos is (position, 1), i is (1, d_model)."""
    return pos / np.power(10000, (2 * (i // 2)) / np.float32(d_model))


def positional_encoding(position: int, d_model: int, interleaved: bool = True) -> tf.Tensor:
    """Encode the positions 0 … position - 1 as sines and cosines.

    PE(pos, 2i) = sin(pos / 10000^(2i/d_model)), PE(pos, 2i+1) = cos(the same angle).

    Args:
        position: number of positions.
        d_model: number of dimensions.
        interleaved: sines at even and cosines at odd dimensions, as in the paper; False puts all
            sines before all cosines, as Tensor2Tensor does (and the Illustrated Transformer draws);
            its angles, pos / 10000^(i/(d_model/2 - 1)), hardly differ with 512 dimensions.

    Returns:
        (1, position, d_model), float32.

    Example:
        >>> print(positional_encoding(2, 4).numpy().round(2))
        [[[0.   1.   0.   1.  ]
          [0.84 0.54 0.01 1.  ]]]
    """
    angles = get_angles(np.arange(position)[:, np.newaxis], np.arange(d_model)[np.newaxis], d_model)
    sines, cosines = np.sin(angles[:, 0::2]), np.cos(angles[:, 1::2])
    if interleaved:
        encoding = np.empty_like(angles)
        encoding[:, 0::2] = sines
        encoding[:, 1::2] = cosines
    else:
        encoding = np.concatenate([sines, cosines], axis=-1)
    return tf.cast(encoding[np.newaxis], tf.float32)  # (1, position, d_model)
