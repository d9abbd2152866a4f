import os
import signal
import sys

import psutil
import pytest

from research.experiments.processes import run_processes


def python(code):
    return [sys.executable, "-c", f"import os, pathlib, signal, sys, time\n{code}"]


def waits_for(path):
    """Code that fails if the file does not come within a minute."""
    return (
        "end = time.time() + 60\n"
        f"while not pathlib.Path({str(path)!r}).exists():\n"
        "    time.sleep(0.01)\n"
        "    assert time.time() < end\n"
    )


def waits_until_gone(path):
    """Code that waits for the end of the process whose number a link names."""
    return (
        f"path = {str(path)!r}\n"
        "while not os.path.islink(path) or os.path.exists(f'/proc/{os.readlink(path)}'):\n"
        "    time.sleep(0.01)\n"
        "time.sleep(0.1)\n"
    )


def test_one_job_keeps_the_order():
    begun = []
    commands = {label: python("") for label in "bca"}

    assert list(run_processes(commands, begin=begun.append)) == [("b", 0), ("c", 0), ("a", 0)]
    assert begun == ["b", "c", "a"]


def test_two_jobs_run_at_the_same_time(tmp_path):
    """Each waits for the other."""
    one, two = tmp_path / "one", tmp_path / "two"
    commands = {
        "one": python(f"pathlib.Path({str(one)!r}).touch()\n{waits_for(two)}"),
        "two": python(f"pathlib.Path({str(two)!r}).touch()\n{waits_for(one)}"),
    }
    assert dict(run_processes(commands, 2)) == {"one": 0, "two": 0}


@pytest.mark.skipif(sys.platform != "linux", reason="cores cannot be shared out here")
def test_jobs_share_the_cores_out(capfd, monkeypatch):
    cores = psutil.Process().cpu_affinity()
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {4, 7, 9})
    given = []
    monkeypatch.setattr(os, "sched_setaffinity", lambda _, share: given.append(share))
    assert dict(run_processes({"a": python(""), "b": python("")}, 2)) == {"a": 0, "b": 0}
    monkeypatch.undo()

    shares = [share for share in given if share != {4, 7, 9}]  # which the parent gets back
    assert sorted(map(sorted, shares)) == [[4], [7]]  # as many for each
    show = python("print(sorted(os.sched_getaffinity(0)))")
    assert dict(run_processes({"all": show}, 1)) == {"all": 0}
    assert capfd.readouterr().out == f"{sorted(cores)}\n"


def test_several_jobs_write_logs(capfd, tmp_path):
    code = "print('epoch 1', flush=True)\nprint('spike', file=sys.stderr)\nprint('epoch 2')"
    assert dict(run_processes({"a": python(code), "b": python("")}, 2, tmp_path / "logs"))
    assert capfd.readouterr().out == ""
    assert (tmp_path / "logs" / "a.log").read_text() == "epoch 1\nspike\nepoch 2\n"
    assert (tmp_path / "logs" / "b.log").read_text() == ""


def test_after_a_failure_what_runs_comes_to_its_end(tmp_path):
    failed = tmp_path / "failed"
    commands = {
        "bad": python(f"pathlib.Path({str(failed)!r}).symlink_to(str(os.getpid()))\nsys.exit(3)"),
        "good": python(waits_until_gone(failed)),
        "never": python(""),
    }
    assert dict(run_processes(commands, 2)) == {"bad": 3, "good": 0}


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(("name", "status"), [("SIGTERM", 7), ("SIGINT", 0)])
def test_a_signal_does_not_end_the_wait(name, status, jobs):
    """A child signals its parent. SIGTERM comes back; Ctrl-C reaches a child without help.

    After either no other begins.
    """
    code = (
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))\n"
        f"os.kill(os.getppid(), signal.{name})\ntime.sleep({10 if status else 0.5})"
    )
    before = signal.getsignal(signal.SIGTERM)

    commands = {"one": python(code), "waits": python("time.sleep(0.5)"), "never": python("")}
    ended = dict(run_processes(commands, jobs))
    assert ended.pop("one") == status
    assert "never" not in ended
    assert signal.getsignal(signal.SIGTERM) == before


def test_a_signal_reaches_a_child_that_is_just_starting():
    def terminate(label):
        os.kill(os.getpid(), signal.SIGTERM)

    started = run_processes({"starts": python("time.sleep(30)")}, begin=terminate)
    assert dict(started) == {"starts": -signal.SIGTERM}


def test_when_the_caller_goes_no_other_begins():
    begun = []
    commands = {"one": python(""), "runs": python("time.sleep(0.5)"), "never": python("")}
    running = run_processes(commands, begin=begun.append)
    next(running)
    running.close()
    assert "never" not in begun
