"""Interpolation between two vectors or images: lecture 7's image fading."""

import numpy as np
import tensorflow as tf
from scipy.interpolate import CubicSpline, make_interp_spline

METHODS = ("linear", "cubic", "bilinear", "bicubic")


def interpolate(
    first: np.ndarray, last: np.ndarray, steps: int, method: str = "linear"
) -> np.ndarray:
    """Interpolate between two arrays of the same shape.

    "linear" is y0 (x1 - x) + y1 (x - x0) over x1 - x0 for each number. "cubic" is the cubic spline
    that starts and ends at rest. "bilinear" and "bicubic" take the two as the two rows of an
    image, one column a number, and resize it to `steps` rows, as TensorFlow resizes images: so
    rows near an end are that end, and bicubic goes beyond it. Returns (steps, *shape), float32, of
    2 steps or more.
    """
    ends, where = np.stack([first, last]).astype(np.float32), np.linspace(0, 1, steps)
    if method == "linear":
        return make_interp_spline([0, 1], ends, k=1)(where).astype(np.float32)
    if method == "cubic":
        return CubicSpline([0, 1], ends, bc_type="clamped")(where).astype(np.float32)
    rows = ends.reshape(2, -1, 1)  # (2, numbers, 1)
    resized = tf.image.resize(rows, (steps, rows.shape[1]), method).numpy()
    return resized.reshape(steps, *ends.shape[1:])
