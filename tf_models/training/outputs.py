"""A few outputs of a model on a fixed input, by which a change of its code is noticed.

They stand in each checkpoint, and are computed again when it is read. Another machine, other
threads or XLA change their last digits, and 16 bits a hundredth of them; an activation in another
layer changes them by several times as much.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

Outputs = Callable[[], np.ndarray]  # computes them, always the same of the same weights

# How far they may differ, root mean square, in parts of their standard deviation. Measured on
# trained translators: GELU in place of ReLU 0.05 to 0.5, bfloat16 0.012, float16 0.002.
TOLERANCE, TOLERANCE_IN_16_BITS = 0.01, 0.05


def describe_outputs(values: np.ndarray, compute_dtype: str) -> dict[str, Any]:
    """What a checkpoint says of the outputs of a model that computes in this Keras dtype."""
    tolerance = TOLERANCE if compute_dtype == "float32" else TOLERANCE_IN_16_BITS
    return {"values": np.round(np.float64(values), 5).ravel().tolist(), "tolerance": tolerance}


def change_of_outputs(said: Mapping[str, Any] | None, outputs: Outputs | None) -> str | None:
    """One line if a checkpoint `said` something else of the outputs; None if not, if it says
    nothing of them, or if they cannot be computed.
    """
    if said is None or outputs is None:
        return None
    before, now = np.float64(said["values"]), np.float64(outputs()).ravel()
    if before.shape == now.shape:
        spread = max(float(before.std()), 1e-6)
        change = float(np.sqrt(np.mean((now - before) ** 2))) / spread
        if change <= said["tolerance"]:
            return None
        found = f"differ by {100 * change:.0f} % of their spread"
    else:
        found = f"are {now.size} numbers and were {before.size}"
    return f"the model's code has changed since: its outputs for a fixed input {found}"
