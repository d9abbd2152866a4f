"""What a long training meets: signals, a terminal that is gone, numbers that are none."""

import errno
import itertools
import json
import math
import os
import shutil
import signal
import threading

import numpy as np
import pytest
import tensorflow as tf

from tests.support.interruption import curve, interrupt_after
from tests.support.small_training import BATCHES, CONFIG, SmallStep, small_training
from tf_models.errors import InputError
from tf_models.training import loop as loop_module
from tf_models.training.checkpoints import checkpoint_path, load_model
from tf_models.training.interruption import SIGNALS, Interruption
from tf_models.training.loop import Metric

EPOCHS = 3


def weights(training):
    return training.step.w.numpy().tolist()


def names(folder):
    return sorted(path.stem for path in folder.glob("*.index"))


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """What an undisturbed training comes to."""
    training = small_training(tmp_path_factory.mktemp("whole") / "run")
    assert training.loop.fit(EPOCHS)
    return training


def assert_goes_on(path, undisturbed):
    again = small_training(path)
    assert again.loop.fit(EPOCHS)
    assert weights(again) == weights(undisturbed)
    assert curve(again) == curve(undisturbed)
    return again


def stop_while(training, epoch, number):
    """A signal while the `epoch`-th validation runs."""
    validation_step, epochs = training.step.validation_step, itertools.count(1)

    def stopped(*batch):
        validation_step(*batch)
        if next(epochs) == epoch:
            signal.raise_signal(number)
            raise AssertionError("the validation went on")

    training.step.validation_step = stopped


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_during_validation_saves_the_epoch_and_ends_at_once(tmp_path, undisturbed, number):
    training = small_training(tmp_path / "run")
    stop_while(training, 2, number)
    assert not training.loop.fit(EPOCHS)

    assert names(training.run.checkpoints) == ["ckpt-3", "part-6"]
    assert training.loop.fit(EPOCHS)  # in a notebook, the same object
    assert weights(training) == weights(undisturbed)
    assert curve(training) == curve(undisturbed)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_within_an_epoch(tmp_path, undisturbed, number, monkeypatch):
    monkeypatch.setattr(signal, "SIGINT", number)  # which `interrupt_after` raises
    training = small_training(tmp_path / "run")
    interrupt_after(training, BATCHES + 1)
    assert not training.loop.fit(EPOCHS)

    assert names(training.run.checkpoints) == ["ckpt-3", "part-4"]
    assert checkpoint_path(training.run.checkpoints, "latest").endswith("part-4")
    assert_goes_on(tmp_path / "run", undisturbed)


def test_what_is_ignored_stays_ignored():
    """As nohup has it."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Interruption() as interruption:
            signal.raise_signal(signal.SIGHUP)
            assert not interruption.requested
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_thread_that_cannot_listen_trains(tmp_path, undisturbed):
    done = []
    thread = threading.Thread(
        target=lambda: done.append(assert_goes_on(tmp_path / "run", undisturbed))
    )
    thread.start()
    thread.join()

    assert done


@pytest.mark.parametrize("code", [errno.EPIPE, errno.EIO, errno.ENOSPC])
def test_an_epoch_that_cannot_be_reported_is_saved(tmp_path, undisturbed, code, monkeypatch):
    """Standard output is a pipe without a reader, a closed terminal, a log on a full disk."""
    monkeypatch.setattr("tf_models.training.loop.REPORT_SECONDS", 0.0)  # each epoch is reported

    def report(line):
        if line.startswith("epoch 2"):
            raise OSError(code, os.strerror(code))

    training = small_training(tmp_path / "run", report=report)
    with pytest.raises(OSError, match=os.strerror(code)):
        training.loop.fit(EPOCHS)

    assert small_training(tmp_path / "run").loop._epoch == 2
    assert_goes_on(tmp_path / "run", undisturbed)


def test_a_long_epoch_is_saved_within(tmp_path, undisturbed, monkeypatch):
    monkeypatch.setattr(loop_module, "CHECKPOINT_SECONDS", 0)
    training, seen = small_training(tmp_path / "run"), []
    train_steps = training.step.train_steps

    def watched(*arguments):
        seen.append(names(training.run.checkpoints))
        train_steps(*arguments)
        if len(seen) == 2:
            raise MemoryError  # with nothing saved but what was saved before

    training.step.train_steps = watched
    interrupt_after(training, 99)  # one batch a call
    with pytest.raises(MemoryError):
        training.loop.fit(EPOCHS)

    assert seen == [[], ["part-1"]]
    assert_goes_on(tmp_path / "run", undisturbed)


def spoil(training, step):
    """The weights are no numbers from that optimizer step on."""
    train_steps = training.step.train_steps

    def spoilt(batches, count):
        train_steps(batches, count)
        if training.step.optimizer.iterations >= step:
            training.step.w.assign([math.nan, 0.0])

    training.step.train_steps = spoilt


@pytest.mark.parametrize("interrupted", [False, True])
def test_what_is_not_finite_is_never_saved(tmp_path, undisturbed, interrupted):
    training = small_training(tmp_path / "run")
    small_training(tmp_path / "run").loop.fit(1)
    training = small_training(tmp_path / "run")
    spoil(training, 4)
    if interrupted:
        interrupt_after(training, 1)
    with pytest.raises(InputError, match="no longer a number in epoch 2.*good checkpoint: ckpt-3"):
        training.loop.fit(EPOCHS)

    assert names(training.run.checkpoints) == ["ckpt-3"]
    assert_goes_on(tmp_path / "run", undisturbed)


def test_a_validation_loss_that_is_no_number_does_not_bind_the_run(tmp_path, undisturbed):
    training = small_training(tmp_path / "run")
    training.step.validation_losses = iter([1.75, math.inf])
    with pytest.raises(InputError, match="no longer a number in epoch 2.*checkpoint: ckpt-3"):
        training.loop.fit(EPOCHS)

    assert names(training.run.checkpoints) == ["ckpt-3"]
    training.step.validation_losses = None
    assert training.loop.fit(EPOCHS)  # in a notebook, the same object
    assert weights(training) == weights(undisturbed)
    assert curve(training)[1:] == curve(undisturbed)[1:]


def test_without_history_csv_nothing_is_forgotten(tmp_path):
    losses = [1.0, 2.0, 3.0, 0.5]
    training = small_training(tmp_path / "run")
    training.step.validation_losses = iter(losses)
    training.loop.fit(2)
    text = training.run.history_file.read_text()
    training.run.history_file.unlink()
    again = small_training(tmp_path / "run")
    again.step.validation_losses = iter(losses[2:])
    again.loop.fit(9, patience=2)

    assert names(again.run.checkpoints / "best") == ["ckpt-3"]  # the third epoch was no better
    assert len(again.loop.history.rows) == 3  # and was the second one without a better one
    assert again.run.history_file.read_text().startswith(text)


@pytest.mark.parametrize("text", ["", "garbage", "epoch,loss\n1,x\n", "\0", "a,b\n1,2\n"])
def test_a_damaged_history_csv_is_written_again(tmp_path, text):
    small_training(tmp_path / "run").loop.fit(1)
    before = (tmp_path / "run" / "history.csv").read_text()
    (tmp_path / "run" / "history.csv").write_text(text)
    small_training(tmp_path / "run").loop.fit(1)

    assert (tmp_path / "run" / "history.csv").read_text() == before


def test_equal_values_are_no_better(tmp_path):
    training, bleu = small_training(tmp_path / "run"), iter([3.0, 3.0, 3.0, 9.0])
    training.loop.fit(9, metric=Metric("bleu", lambda: next(bleu)), patience=2)

    assert names(training.run.checkpoints / "best") == ["ckpt-3"]
    assert len(training.loop.history.rows) == 3


def test_the_average_is_of_the_last_n_checkpoints(tmp_path):
    """The last epochs by their number, whatever a state file says."""
    training = small_training(tmp_path / "run", average_last_n=2)
    training.loop.fit(4)
    epochs = training.run.checkpoints / "epochs"
    (epochs / "checkpoint").write_text("garbage")
    small_training(tmp_path / "run", average_last_n=2).loop.fit(6)

    assert names(epochs) == ["ckpt-15", "ckpt-18"]


ODD = ("ckpt-x", "ckpt-", "ckpt--3", "ckpt-9e9", "model", "ckpt-٣", "other-77")


def test_odd_files_among_the_checkpoints_are_left_alone(tmp_path, undisturbed):
    small_training(tmp_path / "run").loop.fit(1)
    folder = tmp_path / "run" / "checkpoints"
    for name in ODD:
        (folder / f"{name}.index").write_text("odd")
    (folder / "ckpt-99.index").mkdir()
    (folder / "notes.txt").write_text("mine")
    (folder / "checkpoint").write_text("garbage {")
    assert_goes_on(tmp_path / "run", undisturbed)

    assert {f"{name}.index" for name in ODD} <= {path.name for path in folder.iterdir()}
    assert (folder / "notes.txt").read_text() == "mine"


def test_the_best_checkpoint_serves_when_all_others_are_gone(tmp_path, undisturbed):
    small_training(tmp_path / "run").loop.fit(1)
    for path in (tmp_path / "run" / "checkpoints").glob("ckpt-*"):
        path.unlink()

    assert small_training(tmp_path / "run").loop._epoch == 1
    assert_goes_on(tmp_path / "run", undisturbed)


def test_a_config_that_was_edited_by_hand_does_not_take_the_checkpoints(tmp_path):
    """The weights of four heads have the shapes of two, and mean something else."""
    edited = {**CONFIG, "model": {"num_heads": 4}}
    run = small_training(tmp_path / "run").run
    small_training(tmp_path / "run").loop.fit(1)
    config = json.loads(run.config_file.read_text())
    run.config_file.write_text(json.dumps({**config, **edited}))
    refused = pytest.raises(InputError, match="was trained with model.num_heads 2, and .* says 4")
    with refused:
        load_model(SmallStep().model, run, "best")
    with refused:
        small_training(tmp_path / "run", config=edited)


def test_other_packages_and_cores_are_told(tmp_path, monkeypatch):
    from tf_models.training import run_directory

    small_training(tmp_path / "run").loop.fit(1)
    monkeypatch.setattr(run_directory, "available_cores", lambda: 99)
    lines = []
    small_training(tmp_path / "run", report=lines.append)

    assert lines[0] == "going on after epoch 1, batch 0"
    assert lines[1].startswith("not what an uninterrupted run would give: versions.cores was ")


def test_without_logs_training_goes_on(tmp_path, undisturbed):
    """TensorBoard's files repeat what history.csv says."""
    training = small_training(tmp_path / "run")
    shutil.rmtree(training.run.logs, ignore_errors=True)
    training.run.logs.write_text("a file in the way")

    assert_goes_on(tmp_path / "run", undisturbed)


def test_a_constant_learning_rate_is_no_part_of_a_checkpoint():
    """Or a run could not go on with a lower one."""
    import keras

    from tf_models.training.optimizers import ConstantRate

    variable = keras.Variable([1.0])
    optimizer = keras.optimizers.SGD(ConstantRate(0.25))
    optimizer.build([variable])
    optimizer.apply([tf.constant([2.0])], [variable])

    assert variable.numpy() == 0.5
    assert [one.name for one in optimizer.variables] == ["iteration"]
    assert ConstantRate.from_config(ConstantRate(0.25).get_config()).rate == 0.25
    assert np.float32(optimizer.learning_rate) == 0.25


@pytest.mark.parametrize(
    ("steps", "seconds", "following"),
    [(1, 0.002, 100), (100, 0.4, 50), (1, 3.0, 1), (4, 0.3, 3), (1, 0.11, 2)],
)
def test_a_call_lasts_a_fifth_of_a_second(tmp_path, monkeypatch, steps, seconds, following):
    """So long may a signal have to wait."""
    training, now = small_training(tmp_path / "run"), [0.0]
    loop, training.loop._left = training.loop, None
    assert loop._steps_per_call == 1
    monkeypatch.setattr(loop_module.time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(
        training.step, "train_steps", lambda left, count: now.__setitem__(0, now[0] + seconds)
    )
    loop._train_steps(steps)

    assert loop._steps_per_call == following


def test_a_signal_that_comes_twice_is_one_request(monkeypatch):
    """As `timeout` sends it to a process and to its group; a later one stops at once."""
    with Interruption() as interruption:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        assert interruption.requested
        monkeypatch.setattr("tf_models.training.interruption.ONE_REQUEST_SECONDS", -1.0)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_a_clock_that_goes_backwards_changes_nothing(tmp_path, undisturbed, monkeypatch):
    hours = itertools.count()
    monkeypatch.setattr("time.time", lambda: 2e9 - 3600 * next(hours))
    training = small_training(tmp_path / "run")
    assert training.loop.fit(EPOCHS)

    assert weights(training) == weights(undisturbed)
    assert curve(training) == curve(undisturbed)
    assert all(row["seconds"] >= 0 for row in training.loop.history.rows)
