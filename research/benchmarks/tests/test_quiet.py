import pytest

from research.benchmarks import quiet
from research.benchmarks.quiet import OtherProcesses, WaitBudget
from research.benchmarks.workers import Worker


@pytest.fixture
def stat(tmp_path, monkeypatch):
    """stat(busy, idle): what the system says of its cores, in ticks since it started."""
    monkeypatch.setattr(quiet, "CPU_TIMES", tmp_path / "stat")

    def write(busy, idle):
        columns = (busy - 4, 1, 1, idle, 50, 0, 1, 1, 0, 0)
        (tmp_path / "stat").write_text(f"cpu  {' '.join(map(str, columns))}\ncpu0 9 9 9\n")

    return write


def test_cpu_share_of_other_processes(stat, monkeypatch):
    now = {"wall": 100.0, "own": 5.0}
    monkeypatch.setattr(quiet.time, "perf_counter", lambda: now["wall"])
    monkeypatch.setattr(quiet.time, "process_time", lambda: now["own"])
    monkeypatch.setattr(quiet.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(quiet.os, "sysconf", lambda name: 100)
    stat(busy=1000, idle=7000)
    others = OtherProcesses()
    now.update(wall=110.0, own=9.0)  # 10 s, of which this process worked 4
    stat(busy=1000 + 900, idle=8000)  # all together worked 9 s of 20

    assert others.cpu_share() == pytest.approx(5 / 20)


def test_no_share_without_proc_stat(tmp_path, monkeypatch):
    monkeypatch.setattr(quiet, "CPU_TIMES", tmp_path / "none")

    assert OtherProcesses().cpu_share() == 0


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
