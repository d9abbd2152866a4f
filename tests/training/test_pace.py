import pytest

from tf_models.training import pace
from tf_models.training.pace import Pace


@pytest.fixture
def clock(monkeypatch):
    """What the pace takes for the time; move it by hand."""
    now = [0.0]
    monkeypatch.setattr(pace.time, "perf_counter", lambda: now[0])
    return now


@pytest.mark.parametrize(
    ("batches", "seconds", "following"),
    [(1, 0.002, 100), (100, 0.4, 50), (1, 3.0, 1), (4, 0.3, 3), (1, 0.11, 2)],
)
def test_a_call_lasts_a_fifth_of_a_second(clock, batches, seconds, following):
    of_model = Pace()
    assert of_model.batches == 1
    with of_model.measured(batches):
        clock[0] += seconds

    assert of_model.batches == following
