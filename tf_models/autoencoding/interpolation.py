"""Interpolation between two vectors or images: lecture 7's image fading."""

import numpy as np
import tensorflow as tf

METHODS = ("linear", "cubic", "bilinear", "bicubic")


def interpolate(
    first: np.ndarray, last: np.ndarray, steps: int, method: str = "linear"
) -> np.ndarray:
    """Interpolate between two arrays of the same shape.

    "linear" is first + t (last - first), t from 0 to 1. "cubic" is the cubic spline that starts and
    ends at rest: the same with 3 t^2 - 2 t^3 for t. "bilinear" and "bicubic" take the two as the
    two rows of an image, with a column for each number, and resize it to `steps` rows, as
    TensorFlow resizes images: so rows near an end equal that end, and bicubic goes beyond it.
    Returns (steps, *shape), float32; there are 2 steps or more.
    """
    ends = np.stack([first, last]).astype(np.float32)
    t = np.linspace(0, 1, steps, dtype=np.float32)
    if method in ("linear", "cubic"):
        t = t if method == "linear" else 3 * t**2 - 2 * t**3
        return ends[0] + np.multiply.outer(t, ends[1] - ends[0])
    rows = ends.reshape(2, -1, 1)  # (2, numbers, 1)
    resized = tf.image.resize(rows, (steps, rows.shape[1]), method).numpy()
    return resized.reshape(steps, *ends.shape[1:])
