"""How blurred and how diagonal attention is, and which heads attend to a word."""

import numpy as np

from tf_models.plotting.attention import check_attention


def attention_entropy(weights: np.ndarray) -> np.ndarray:
    """Entropy of attention in nats, the mean over the queries: (..., queries, keys) -> (...).

    H = -sum_j w_ij ln w_ij with 0 ln 0 = 0. A query that attends to one key has 0, one that
    attends to all n keys alike has ln n; exp(H) is the number of keys that a query attends to, so
    to speak.
    """
    weights = check_attention(weights, *np.shape(weights)[-2:])
    logs = np.log(weights, out=np.zeros_like(weights), where=weights > 0)
    return -(weights * logs).sum(axis=-1).mean(axis=-1)


def attention_diagonality(weights: np.ndarray) -> np.ndarray:
    """How near attention is to the diagonal: (..., queries, keys) -> (...).

    With the diagonal d_i = i (keys - 1) / (queries - 1), so that it ends in the corner also when
    the sentences differ in length, and D = the mean over the queries of sum_j w_ij |j - d_i|:

        diagonality = 1 - D / (D of uniform attention)

    It is 1 on the diagonal of a square map, 0 for uniform weights, and negative for attention that
    avoids the diagonal; sentences of different lengths can be compared by it. A map with one key
    has 1; a single query is taken to stand in the middle.
    """
    rows, columns = np.shape(weights)[-2:]
    weights = check_attention(weights, rows, columns)
    if columns == 1:
        return np.ones(weights.shape[:-2])
    diagonal = np.linspace(0, columns - 1, rows) if rows > 1 else np.array([(columns - 1) / 2])
    distance = np.abs(np.arange(columns) - diagonal[:, np.newaxis])  # (queries, keys)
    return 1 - (weights * distance).sum(axis=-1).mean(axis=-1) / distance.mean()


def heads_attending(weights: np.ndarray, row: int, column: int) -> list[tuple[int, int, float]]:
    """The heads whose query `row` gives its largest weight to key `column`, the surest first.

    Args:
        weights: (layers, heads, queries, keys).

    Returns:
        layer and head, counted from one, and the weight.
    """
    of_query = np.asarray(weights)[:, :, row]  # (layers, heads, keys)
    found = [
        (layer + 1, head + 1, float(of_query[layer, head, column]))
        for layer, head in np.argwhere(of_query.argmax(axis=-1) == column)
    ]
    return sorted(found, key=lambda one: -one[2])
