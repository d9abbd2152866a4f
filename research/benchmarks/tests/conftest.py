from pathlib import Path

import pytest

from research.benchmarks.comparison import Plan
from research.benchmarks.decoding_comparison import train_briefly
from research.benchmarks.quiet import WaitBudget
from research.benchmarks.report import report
from research.benchmarks.tests.same_process import WorkerInThisProcess
from research.benchmarks.training_systems import TrainingTask
from tests.support.language import PAIRS
from tests.support.tiny import TINY
from tf_models.data.text.corpora import Corpus


@pytest.fixture
def in_this_process(monkeypatch):
    for module in ("comparison", "training_comparison", "decoding_comparison"):
        monkeypatch.setattr(f"research.benchmarks.{module}.Worker", WorkerInThisProcess)


@pytest.fixture(scope="session")
def brief_run(corpus, tmp_path_factory):
    """A run directory after one epoch, and what is said of it."""
    run_dir = tmp_path_factory.mktemp("runs") / "brief"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("research.benchmarks.decoding_comparison.Worker", WorkerInThisProcess)
        return run_dir, train_briefly(corpus, TINY, 1, run_dir, threads=1)


@pytest.fixture(scope="session")
def corpus():
    return Corpus("tiny", "en", "de", PAIRS[:-8], PAIRS[-8:-4], PAIRS[-4:])


@pytest.fixture
def task(corpus, tmp_path) -> TrainingTask:
    return TrainingTask(corpus, TINY, Path(tmp_path))


@pytest.fixture
def report_of():
    """report_of("training", results): the report of a benchmark that has this part alone."""
    machine = {"processor": "X", "cores": 2, "system": "L", "versions": {}, "date": "today"}
    return lambda part, results: report(
        {"machine": machine, "threads": 1, "rounds": 2, part: results}
    )


@pytest.fixture
def plan() -> Plan:
    return Plan(rounds=2, threads=1, wait=WaitBudget(0), progress=lambda items, title: items)
