"""A training that is stopped at each single file operation goes on and comes to the same end."""

import errno
import os
import shutil

import pytest

from tests.support.failing_disk import KILL, WAYS, FailingDisk
from tests.support.interruption import curve
from tests.support.small_training import SmallStep, small_training
from tf_models.errors import InputError
from tf_models.training.checkpoints import checkpoint_path, load_average, load_model
from tf_models.training.run_directory import RunDirectory

EPOCHS = 3  # of which the first and the last are the best so far
STRIDE = int(os.environ.get("STOP_STRIDE", 29))  # 1 stops at every operation


def train(path, epochs=EPOCHS):
    training = small_training(path)
    assert training.loop.fit(epochs)
    return training


def outcome(path):
    """What a run directory holds, however it came to it: weights, curve, names of checkpoints."""
    run, found = RunDirectory(path), {}
    for which in ("latest", "best"):
        model = SmallStep().model
        load_model(model, run, which)
        found[which] = checkpoint_path(run.checkpoints, which), model.variables[0].numpy().tolist()
        found[which] = found[which][0].removeprefix(str(path)), found[which][1]
    averaged = SmallStep().model
    averaged.trainable_variables = averaged.variables
    load_average(averaged, run)
    found["average"] = averaged.variables[0].numpy().tolist()
    found["files"] = {str(p.relative_to(path)) for p in run.checkpoints.rglob("*") if p.is_file()}
    found["curve"] = [line.split(",")[:3] for line in run.history_file.read_text().splitlines()]
    return found


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """A run directory after its first epoch."""
    path = tmp_path_factory.mktemp("begun") / "run"
    train(path, 1)
    return path


@pytest.fixture(scope="module")
def outcome_undisturbed(tmp_path_factory):
    """What the run comes to if nothing happens."""
    path = tmp_path_factory.mktemp("whole") / "run"
    train(path)
    return outcome(path)


def operations(path, monkeypatch):
    with FailingDisk(path).watching(monkeypatch) as disk:
        train(path)
    return disk.count


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("way", WAYS)
def test_a_stop_at_any_file_operation_loses_nothing(
    begun, outcome_undisturbed, tmp_path, monkeypatch, way, first
):
    counted = tmp_path / "counted"
    counted.parent.mkdir(exist_ok=True)
    if not first:
        shutil.copytree(begun, counted)
    total = operations(counted, monkeypatch)
    assert total > 100
    offset = STRIDE * (2 * WAYS.index(way) + first) // 6  # each way stops elsewhere
    for stop in range(offset, total, STRIDE):
        path = tmp_path / f"stopped-{stop}"
        if not first:
            shutil.copytree(begun, path)
        with FailingDisk(path, stop, way).watching(monkeypatch) as disk:
            train(path)
        assert disk.stopped
        if not first:  # not even for a moment is there no best one
            assert list((path / "checkpoints" / "best").glob("*.index"))
            load_model(SmallStep().model, RunDirectory(path), "best")
        train(path)

        assert outcome(path) == outcome_undisturbed, (stop, way)
        shutil.rmtree(path)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EROFS])
def test_a_disk_that_takes_no_more_is_one_line_and_loses_nothing(
    begun, outcome_undisturbed, tmp_path, monkeypatch, code
):
    shutil.copytree(begun, tmp_path / "counted")
    total, refused = operations(tmp_path / "counted", monkeypatch), []
    for stop in range(0, total, STRIDE):
        path = tmp_path / f"full-{stop}"
        shutil.copytree(begun, path)
        try:
            with FailingDisk(path, stop, KILL, error=code).watching(monkeypatch):
                train(path)
        except InputError as error:
            refused.append(str(error))
        train(path)

        assert outcome(path) == outcome_undisturbed, stop
        shutil.rmtree(path)
    assert len(refused) > total // STRIDE // 2, total
    assert all(os.strerror(code) in line and "\n" not in line for line in refused)


def test_the_curve_is_the_same_in_one_piece(begun, tmp_path):
    """The small training is what the tests above take it for."""
    shutil.copytree(begun, tmp_path / "run")

    assert curve(train(tmp_path / "run")) == curve(train(tmp_path / "other"))
