from types import SimpleNamespace

import pytest

from research.benchmarks import quiet
from research.benchmarks.quiet import OtherProcesses, WaitBudget
from research.benchmarks.workers import Worker


@pytest.fixture(params=[{"nice": 1, "iowait": 50, "irq": 2}, {"interrupt": 7, "dpc": 7}])
def stat(request, monkeypatch):
    """stat(busy, idle): what Linux, or Windows, says of its cores: seconds since it started."""

    def say(busy, idle):
        more = request.param
        user = busy - 1 - sum(more.get(name, 0) for name in quiet.BUSY)
        times = SimpleNamespace(user=user, system=1, idle=idle, **more)
        monkeypatch.setattr(quiet.psutil, "cpu_times", lambda: times)

    return say


def test_cpu_share_of_other_processes(stat, monkeypatch):
    now = {"wall": 100.0, "own": 5.0}
    monkeypatch.setattr(quiet.time, "perf_counter", lambda: now["wall"])
    monkeypatch.setattr(quiet.time, "process_time", lambda: now["own"])
    monkeypatch.setattr(quiet.os, "cpu_count", lambda: 2)
    stat(busy=10, idle=70)
    others = OtherProcesses()
    now.update(wall=110.0, own=9.0)  # 10 s, of which this process worked 4
    stat(busy=10 + 9, idle=80)  # all together worked 9 s of 20

    assert others.cpu_share() == pytest.approx(5 / 20)


@pytest.mark.parametrize(
    ("shares", "seconds", "left"), [([0.0], 3, 3), ([0.4, 0.4, 0.01], 3, 2), ([0.4] * 2, 1, 0)]
)
def test_waiting_until_it_is_quiet(shares, seconds, left, monkeypatch):
    monkeypatch.setattr(quiet.OtherProcesses, "cpu_share", lambda self: shares.pop(0))
    monkeypatch.setattr(quiet.time, "sleep", lambda seconds: None)
    wait = WaitBudget(seconds)
    wait.wait_for_quiet()

    assert wait.seconds == left
    assert shares == []


def test_disturbed_rounds_are_repeated_and_the_least_disturbed_counts():
    class Disturbed(Worker):
        answers = [("a", 0.5), ("b", 0.2), ("c", 0.3)]

        def __init__(self):
            """Start no process."""

        def ask(self, method):
            result, self._other_cpu_share = self.answers.pop(0)
            wait.seconds -= 1
            return result

    wait = WaitBudget(2.5)
    worker = Disturbed()
    wait.wait_for_quiet = lambda: None

    assert worker.measure("go", wait=wait) == ("b", 0.2)
    assert worker.answers == []
