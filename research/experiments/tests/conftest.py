import pytest


@pytest.fixture
def experiment(call):
    """experiment("claims", "--seeds", "0"): the lines that a recipe prints."""
    return lambda *words: call("research.experiments.__main__", *words)
