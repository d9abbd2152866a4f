"""Dividing by sqrt(d_k): its effect on the softmax and the gradient. Nothing is trained."""

from collections.abc import Mapping

import numpy as np

from research.experiments.recipe import Recipe, Run, Values

DEPTHS = (4, 16, 64, 256, 1024)


def softmax_of_scores(
    depth: int, *, scaled: bool, queries: int = 2000, keys: int = 20, seed: int = 0
) -> dict[str, float]:
    """Softmax of the dot products of independent normal queries and keys, as Vaswani et al. (2017),
    section 3.2.1, footnote 4, suppose them.

    Args:
        depth: d_k.
        scaled: whether the scores are divided by its root.
        queries, keys: how many rows, and how many keys in each.
        seed: of the numbers.

    Returns:
        deviation: of the scores. largest weight: mean over the rows. gradient: mean norm of
        d softmax / d scores, the Jacobian of a row.
    """
    random = np.random.default_rng(seed)
    q = random.normal(size=(queries, 1, depth))
    k = random.normal(size=(queries, keys, depth))
    scores = (q * k).sum(axis=-1)  # (queries, keys)
    if scaled:
        scores /= np.sqrt(depth)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    # diag(w) - w w^T has the squared norm sum w^2 - 2 sum w^3 + (sum w^2)^2.
    squares = (weights**2).sum(axis=-1)
    norm = np.sqrt(np.maximum(squares - 2 * (weights**3).sum(axis=-1) + squares**2, 0))
    return {
        "deviation": float(scores.std()),
        "largest weight": float(weights.max(axis=-1).mean()),
        "gradient": float(norm.mean()),
    }


class DotProducts(Recipe):
    name = "dot-products"
    question = "what does sqrt(d_k) do to the softmax and its gradient?"
    examples = "  python -m research.experiments dot-products"
    trains = False

    def labels(self) -> list[str]:
        return [str(depth) for depth in DEPTHS]

    def measure(self, run: Run) -> Mapping[str, Values]:
        plain, scaled = (
            softmax_of_scores(int(run.label), scaled=scaled, seed=run.seed)
            for scaled in (False, True)
        )
        divided = {f"divided: {name}": value for name, value in scaled.items()}
        return {f"d_k {run.label}": plain | divided}
