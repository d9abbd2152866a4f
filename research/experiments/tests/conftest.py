import pytest

from research.experiments import runner
from tests.support.commands import status_of

EXPERIMENTS = "research.experiments.__main__"


def run_here(commands, jobs, logs, begin):
    """In place of `run_processes`: trainings one after the other, in this process."""
    for label, command in commands.items():
        begin(label)
        assert command[1:3] == ["-m", "research.experiments"]
        status = status_of(EXPERIMENTS, *command[3:])
        yield label, status
        if status:
            return


@pytest.fixture
def experiment(call, monkeypatch):
    """experiment("claims", "--seeds", "0"): a recipe whose trainings run in this process."""
    monkeypatch.setattr(runner, "run_processes", run_here)
    return lambda *arguments: call(EXPERIMENTS, *arguments)
