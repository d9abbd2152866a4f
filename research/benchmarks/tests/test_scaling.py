import pytest

from research.benchmarks.scaling import report, ring_seconds


def test_a_ring_sends_each_byte_almost_twice_however_many_workers_there_are():
    assert ring_seconds(1e9, 1, 1e9, 0.1) == 0
    assert ring_seconds(1e9, 2, 1e9, 0.0) == pytest.approx(1.0)
    assert ring_seconds(1e9, 1000, 1e9, 0.0) == pytest.approx(1.998)
    assert ring_seconds(0, 5, 1e9, 0.1) == pytest.approx(0.8)  # steps that wait for first bytes


def test_the_report_says_what_was_measured_and_what_follows(capsys):
    one = {"step": 0.08, "all_reduce": 0.0, "bytes": 1e6}
    two = {"step": 0.1, "all_reduce": 0.015, "bytes": 1e6}
    report(one, two)
    text = capsys.readouterr().out

    assert "efficiency 80%; 20% of a step is new" in text
    assert len(text.splitlines()) == 11
