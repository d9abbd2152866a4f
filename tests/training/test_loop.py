"""The loop: resumed as if uninterrupted, the best epoch kept, and all ends of a training."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor

import keras
import numpy as np
import pytest
import tensorflow as tf
from filelock import FileLock, Timeout

from tests.support.small_training import BATCHES, small_training, state
from tf_models.errors import InputError, TrainingInterrupted
from tf_models.training import loop
from tf_models.training.checkpoints import Checkpoints, kept_epochs, load_weights
from tf_models.training.optimizers import make_adam
from tf_models.training.run_directory import History
from tf_models.training.settings import OptimizerSettings


def check_same(training, other):
    for value, expected in zip(state(training), state(other), strict=True):
        np.testing.assert_array_equal(value, expected)
    columns, expected = (each.history.columns() for each in (training, other))
    for name in expected:
        if "second" not in name:
            assert columns[name] == expected[name]


@pytest.fixture
def whole(tmp_path):
    training = small_training(tmp_path / "whole")
    training.fit()
    return training


def stop_after(training, count):
    """Let a signal come during one of the steps."""
    train_steps, left = training._train_steps, [count]

    def steps(batches, count):
        train_steps(batches, count)
        left[0] -= int(count)
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGINT)

    training._train_steps = steps
    return training


@pytest.mark.parametrize("calls", [1, 2, 5])
def test_a_resumed_training_ends_as_an_uninterrupted_one(tmp_path, whole, monkeypatch, calls):
    monkeypatch.setattr(loop, "CALL_SECONDS", 0.0)  # a step a call
    stopped = stop_after(small_training(tmp_path / "stopped"), calls)
    with pytest.raises(TrainingInterrupted):
        stopped.fit()
    resumed = small_training(tmp_path / "stopped")
    resumed.restore()
    assert int(resumed.model.optimizer.iterations) == calls
    resumed.fit()

    check_same(resumed, whole)


def test_a_killed_training_resumes_from_its_last_checkpoint(tmp_path, whole):
    killed = small_training(tmp_path / "killed", epochs=2)
    killed.fit()
    weights = killed.model.trainable_variables[0]
    weights.assign(tf.zeros_like(weights))  # what no checkpoint holds is lost
    resumed = small_training(tmp_path / "killed")
    resumed.fit()

    check_same(resumed, whole)


@pytest.mark.parametrize(
    ("epochs", "line"),
    [(3, "resuming after epoch 2, batch 0"), (2, "this training has ended: nothing is left")],
)
def test_it_says_where_it_goes_on(tmp_path, epochs, line):
    small_training(tmp_path / "run", epochs=2).fit()
    lines = []
    small_training(tmp_path / "run", epochs=epochs, report=lines.append).fit()

    assert any(each.startswith(line) for each in lines)


@pytest.mark.parametrize(("part", "name"), [(loop, "write_text"), (Checkpoints, "save")])
def test_a_kill_while_the_last_epoch_is_saved_loses_no_row(tmp_path, monkeypatch, part, name):
    killed = small_training(tmp_path / "run")
    save = getattr(part, name)

    def save_or_die(*arguments):
        if len(killed.history.rows) == killed.epochs:
            raise SystemExit
        save(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(part, name, save_or_die)
        with pytest.raises(SystemExit):
            killed.fit()
    small_training(tmp_path / "run").fit()

    assert History.read(killed.run.history_file).columns()["epoch"] == [1, 2, 3]


def test_a_training_waits_with_its_checkpoint_until_it_has_the_directory(tmp_path):
    """What another process has trained until then is not trained again."""
    epochs = []

    def measure():
        epochs.append(1)
        return {"val_score": 0.5}

    first, second = (small_training(tmp_path / "run", measure=measure) for _ in range(2))
    with FileLock(first.run.lock_file), pytest.raises(Timeout):
        second.fit()
    first.fit()
    second.fit()

    assert len(epochs) == 3
    check_same(second, first)


def test_a_training_in_a_thread(tmp_path, whole):
    """A signal ends the main thread alone."""
    with ThreadPoolExecutor(1) as threads:
        training = threads.submit(small_training, tmp_path / "run").result()
        threads.submit(training.fit).result()

    check_same(training, whole)


def test_checkpoints_within_an_epoch(tmp_path, monkeypatch):
    monkeypatch.setattr(loop, "CALL_SECONDS", 0.0)
    monkeypatch.setattr(loop, "SAVE_SECONDS", -1)
    training = small_training(tmp_path / "run", epochs=1)
    training._finish_epoch = lambda *row: 1 / 0  # as far as a kill before the end of the epoch
    with pytest.raises(ZeroDivisionError):
        training.fit()
    resumed = small_training(tmp_path / "run", epochs=1)
    resumed.restore()

    assert int(resumed.model.optimizer.iterations) == BATCHES


def test_the_best_epoch_and_the_last_ones_are_kept(tmp_path):
    scores, weights = iter([0.1, 0.7, 0.3]), []

    def measure():
        weights.append(training.model.get_weights())
        return {"val_score": next(scores)}

    options = {"monitor": "val_score", "measure": measure, "average_last_n": 2}
    training = small_training(tmp_path / "run", **options)
    training.fit()
    folder, model = training.run.checkpoints, training.model

    for which, expected in {
        "best": weights[1],
        "latest": weights[2],
        "average": [(a + b) / 2 for a, b in zip(*weights[1:], strict=True)],
    }.items():
        load_weights(model, folder, which)
        for value, right in zip(model.get_weights(), expected, strict=True):
            np.testing.assert_allclose(value, right, rtol=1e-6)
    assert kept_epochs(folder) == ["epochs/ckpt-2", "epochs/ckpt-3"]


def test_patience_ends_a_training_that_gets_no_better(tmp_path):
    scores = iter([0.5, 0.4, 0.3, 0.2])
    options = {"measure": lambda: {"val_score": next(scores)}, "monitor": "val_score"}
    training = small_training(tmp_path / "run", epochs=9, patience=2, **options)

    training.fit()
    assert len(training.history.rows) == 3


def test_minutes_take_the_place_of_epochs(tmp_path):
    training = small_training(tmp_path / "run", epochs=1, minutes=5 / 60)

    training.fit()
    assert len(training.history.rows) > 1
    assert training.seconds_left() <= 0


def test_a_cosine_goes_down_with_the_time_that_the_loop_counts(tmp_path):
    adam = make_adam(OptimizerSettings(), 1, minutes=5 / 60)
    training = small_training(tmp_path / "run", minutes=5 / 60, adam=adam)
    training.fit()
    rates = training.history.columns()["learning_rate"]

    assert rates == sorted(rates, reverse=True)
    assert rates[-1] < 0.1 * OptimizerSettings().learning_rate


@pytest.mark.parametrize("is_chief", [True, False])
def test_weights_that_are_no_numbers_are_not_saved(tmp_path, is_chief):
    """Every worker ends with them: it would wait for the chief for ever."""
    training = small_training(tmp_path / "run", adam=keras.optimizers.Adam(float("inf")))
    training.is_chief = is_chief

    with pytest.raises(InputError, match="no longer a number"):
        training.fit()
    assert not list(training.run.checkpoints.rglob("*.index"))  # not as the best ones, either
