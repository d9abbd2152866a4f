import pytest

from tf_models.training import steps_per_execution
from tf_models.training.steps_per_execution import StepsPerExecution


@pytest.fixture
def clock(monkeypatch):
    """What the tuner takes for the time; move it by hand."""
    now = [0.0]
    monkeypatch.setattr(steps_per_execution.time, "perf_counter", lambda: now[0])
    return now


@pytest.mark.parametrize(
    ("steps", "seconds", "following"),
    [(1, 0.002, 100), (100, 0.4, 50), (1, 3.0, 1), (4, 0.3, 3), (1, 0.11, 2)],
)
def test_a_call_lasts_a_fifth_of_a_second(clock, steps, seconds, following):
    tuner = StepsPerExecution()
    assert tuner.steps == 1
    with tuner.measured(steps):
        clock[0] += seconds

    assert tuner.steps == following
