"""A look at figures as they are drawn."""

import pytest

from tests.support import readable


@pytest.fixture
def drawn_texts():
    """drawn_texts(figure): [(text, its box in pixels)] of all that is written on the figure."""
    return readable.drawn_texts
