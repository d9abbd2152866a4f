"""Attention as a model would give it, and a look at figures as they are drawn."""

import numpy as np
import pytest

from tests.support import readable


@pytest.fixture
def attention():
    """attention(*shape, causal=False): rows of random positive weights that sum to one."""

    def make(*shape, causal=False):
        weights = np.random.default_rng(7).random(shape).astype(np.float32) ** 4 + 1e-4
        if causal:
            weights *= np.tril(np.ones(shape[-2:], np.float32))
        return weights / weights.sum(axis=-1, keepdims=True)

    return make


@pytest.fixture
def drawn_texts():
    """drawn_texts(figure): [(text, its box in pixels)] of all that is written on the figure."""
    return readable.drawn_texts
