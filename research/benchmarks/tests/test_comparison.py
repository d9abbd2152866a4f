from research.benchmarks.comparison import add_speed_ratios, started
from research.benchmarks.workers import Worker


def test_workers_are_started_one_after_the_other_and_closed(plan):
    systems = {"a": (str, "first"), "b": (str, "second")}
    with started(systems, plan) as workers:
        assert list(workers) == ["a", "b"]
        assert [worker.ask("upper") for worker in workers.values()] == ["FIRST", "SECOND"]

    assert all(isinstance(w, Worker) and not w._process.is_alive() for w in workers.values())


def test_speed_ratios_with_the_baselines_that_were_measured():
    systems = {"ours": {"speed": 6.0}, "theirs": {"speed": 3.0}}
    add_speed_ratios(
        systems, lambda name: ["theirs", "absent"], lambda a, b: a["speed"] / b["speed"]
    )

    assert systems["ours"]["times_as_fast_as"] == {"theirs": 2.0}
    assert systems["theirs"]["times_as_fast_as"] == {}
