import csv
import itertools
import math
import signal

import numpy as np
import pytest

from tests.support.images import noise
from tests.support.interruption import curve, interrupt_after
from tests.support.tiny import TINY
from tf_models.errors import InputError
from tf_models.tasks.autoencoding.settings import preset
from tf_models.tasks.autoencoding.train import prepare_image_training
from tf_models.tasks.translation.attention import kept_epochs
from tf_models.tasks.translation.translator import Translator
from tf_models.training.loop import Metric
from tf_models.training.run_directory import RunDirectory

EPOCHS = TINY.training.epochs  # as the fixture of an uninterrupted training has it


def weights(training):
    model = getattr(training.model, "network", training.model)  # of a translator
    return [variable.numpy() for variable in model.variables]


def assert_same_state(one, other):
    """To the bit: weights, random generators, optimizer, and the curve."""
    for a, b in zip(weights(one), weights(other), strict=True):
        np.testing.assert_array_equal(a, b)
    optimizers = (training.step.optimizer.variables for training in (one, other))
    for a, b in zip(*optimizers, strict=True):
        np.testing.assert_array_equal(a.numpy(), b.numpy())
    assert curve(one) == curve(other)


@pytest.mark.slow
def test_two_runs_are_the_same(prepare, uninterrupted):
    again = prepare("again")
    again.loop.fit(EPOCHS)

    assert_same_state(again, uninterrupted)


@pytest.mark.slow
def test_another_seed_is_another_run(prepare, uninterrupted):
    other = prepare("other", seed=1)
    other.loop.fit(EPOCHS)

    assert not np.array_equal(weights(other)[0], weights(uninterrupted)[0])


def stop_after(prepare, *all_batches):
    """Train until that many batches are done in all, each time in a session of its own."""
    done = 0
    for batches in all_batches:
        part = prepare("resumed")
        interrupt_after(part, batches - done)
        assert not part.loop.fit(EPOCHS)
        done = batches
    last = prepare("resumed")
    assert int(last.step.optimizer.iterations) == done
    assert last.loop.fit(EPOCHS)
    return last


@pytest.mark.slow
def test_interrupted_and_resumed_is_uninterrupted(prepare, uninterrupted):
    """Within the second epoch: dropout and the order of batches go on where they stood."""
    assert_same_state(stop_after(prepare, 8), uninterrupted)


def test_a_training_goes_on_from_anywhere(prepare_quickly):
    """Six batches an epoch: within the first, between epochs, and within the third."""
    whole = prepare_quickly("whole")
    assert whole.loop.fit(EPOCHS)

    assert_same_state(stop_after(prepare_quickly, 1, 6, 17), whole)


@pytest.mark.slow
def test_longer_training_goes_on_from_a_finished_run(prepare, uninterrupted):
    prepare("longer", epochs=2).loop.fit(2)
    longer = prepare("longer")
    longer.loop.fit(EPOCHS)

    assert_same_state(longer, uninterrupted)


def test_a_decay_to_the_end_cannot_be_made_longer(prepare_quickly):
    training = prepare_quickly(schedule="cosine", epochs=2)
    training.loop.fit(2)
    rates = [row["learning_rate"] for row in training.loop.history.rows]

    assert rates[1] == pytest.approx(0, abs=1e-9)
    assert rates[0] > 1e-4
    with pytest.raises(InputError, match="--epochs was 2 and is 3 now"):
        prepare_quickly(schedule="cosine", epochs=3)


@pytest.mark.slow
def test_history_and_logs(prepare, uninterrupted):
    run = uninterrupted.run
    with run.history_file.open() as file:
        rows = list(csv.DictReader(file))

    assert [row["epoch"] for row in rows] == ["1", "2", "3"]
    assert float(rows[2]["loss"]) < float(rows[0]["loss"])
    assert float(rows[2]["val_loss"]) < float(rows[0]["val_loss"])
    assert all(float(row["tokens_per_second"]) > 0 for row in rows)
    assert list(run.logs.glob("events.out.tfevents.*"))


@pytest.mark.slow
def test_checkpoints_on_disk(uninterrupted):
    names = {path.name for path in uninterrupted.run.checkpoints.glob("*.index")}
    best = list((uninterrupted.run.checkpoints / "best").glob("*.index"))

    assert names == {"ckpt-6.index", "ckpt-12.index", "ckpt-18.index"}
    assert len(best) == 1


@pytest.mark.slow
def test_it_learns_the_tiny_language(prepare, corpus):
    """The whole stack end to end, on sentences that it has not seen."""
    training = prepare("long", epochs=60, d_model=32, dff=64, dropout=0.0, warmup_steps=600)
    training.loop.fit(60)
    translator = Translator.load(training.run.path, "latest")
    translations = [t[0].text for t in translator.translate([s for s, _ in corpus.test])]
    right = [t == pair.target for t, pair in zip(translations, corpus.test, strict=True)]
    assert np.mean(right) > 0.8


@pytest.fixture
def prepare_quickly(tmp_path):
    """prepare_quickly(name="run"): six batches an epoch, and a model that is traced in no time.

    What the loop decides has nothing to do with the model.
    """
    settings = preset("dense").changed(code_size=2, units=(), batch_size=8, epochs=EPOCHS)

    def make(name="run", report=lambda line: None, minutes=math.inf, **changes):
        run, options = RunDirectory(tmp_path / name), {"report": report, "minutes": minutes}
        changed = settings.changed(**changes)
        return prepare_image_training(run, noise(48), changed, seed=0, **options)

    return make


def test_the_best_checkpoint_is_that_of_the_best_metric(prepare_quickly):
    training = prepare_quickly()
    results = iter([3.0, 5.0, 4.0])
    training.loop.fit(EPOCHS, metric=Metric("bleu", lambda: next(results)))

    assert training.loop.history.columns()["val_bleu"] == [3, 5, 4]
    assert [p.name for p in (training.run.checkpoints / "best").glob("*.index")] == [
        "ckpt-12.index"
    ]


def test_training_ends_when_the_metric_no_longer_rises(prepare_quickly):
    results = iter([3.0, 5.0, 4.0, 4.5, 6.0])
    training = prepare_quickly()
    metric = Metric("bleu", lambda: next(results))
    assert training.loop.fit(9, metric=metric, patience=2)

    assert len(training.loop.history.rows) == 4
    again = prepare_quickly()  # its last checkpoint is that of the end
    assert again.loop.fit(9, metric=metric, patience=2)
    assert len(again.loop.history.rows) == 4


def test_a_limit_of_time_is_kept_and_the_learning_rate_comes_down(prepare_quickly, monkeypatch):
    clock = itertools.count()
    monkeypatch.setattr("time.perf_counter", lambda: 0.05 * next(clock))  # whatever the load
    training = prepare_quickly(minutes=0.5, schedule="cosine", batch_size=1, epochs=1)
    training.loop._call_seconds = 0  # batches come one by one
    assert training.fit()
    peak = training.settings.optimizer.learning_rate
    rates = training.loop.history.columns()["learning_rate"]

    assert 0.7 * 30 <= sum(training.loop.history.columns()["seconds"]) < 24
    assert len(rates) > 1
    assert rates == sorted(rates, reverse=True)
    assert rates[0] < peak
    assert rates[-1] < 0.01 * peak


def test_time_may_end_within_an_epoch_which_is_validated_then(prepare_quickly):
    lines = []
    training = prepare_quickly(minutes=1e-6, report=lines.append, schedule="cosine")
    assert training.fit()

    assert training.step.optimizer.iterations == 1
    assert len(training.loop.history.columns()["val_loss"]) == 1
    assert lines[-1] == "the time is over, after 0.2 epochs"
    again = prepare_quickly(minutes=1e-6, schedule="cosine")
    assert again.fit()
    assert again.step.optimizer.iterations == 1


def test_a_limit_of_time_holds_for_all_sessions_together(prepare_quickly):
    options = {"minutes": 60, "schedule": "cosine"}
    first = prepare_quickly(**options)
    first.loop._seconds.assign(0.6 * 3600)
    interrupt_after(first, 3)
    assert not first.fit()
    fraction = float(first.loop._fraction)
    again = prepare_quickly(**options)

    assert 0 < fraction == float(again.loop._fraction)
    assert 0.6 * 3600 < again.loop.elapsed() < 0.7 * 3600
    interrupt_after(again, 2)
    assert not again.fit()
    assert float(again.loop._fraction) > fraction
    with pytest.raises(InputError, match="--minutes was 60 and is 61 now"):
        prepare_quickly(**{**options, "minutes": 61})


def test_only_the_first_of_many_short_epochs_is_reported_and_the_last(prepare_quickly):
    lines = []
    prepare_quickly(report=lines.append).loop.fit(9)

    assert [line.partition(":")[0] for line in lines] == ["epoch 1/9", "epoch 9/9"]


def test_a_forecast_leaves_compilation_out(prepare_quickly, monkeypatch):
    lines, now = [], [0.0]
    monkeypatch.setattr("time.perf_counter", lambda: now[0])
    training = prepare_quickly(report=lines.append)
    train_steps = training.step.train_steps

    def slow(left, count):
        now[0] += 2 if now[0] else 1000  # it is compiled
        train_steps(left, count)

    def slow_validation(*batch):
        now[0] += 500 if now[0] == 1010 else 0

    monkeypatch.setattr(training.step, "train_steps", slow)
    monkeypatch.setattr(training.step, "validation_step", slow_validation)
    training.loop.fit(2)

    assert lines[0].endswith("1510 s, 0:10 left")
    assert ", 4 images/s, " in lines[0]  # batches of 8 in 2 seconds


def test_the_time_of_an_epoch_is_that_of_all_its_parts(prepare_quickly):
    first, hour = prepare_quickly(schedule="constant"), 3600
    first.loop._seconds.assign(hour)
    interrupt_after(first, 3)
    assert not first.loop.fit(1)
    assert first.loop._seconds > hour
    again = prepare_quickly(schedule="constant", minutes=60)
    again.fit()

    assert [row["seconds"] > hour for row in again.loop.history.rows] == [True]
    assert again.loop._seconds == 0


def test_ctrl_c_in_the_last_validation_is_heard(prepare_quickly):
    training = prepare_quickly()

    def interrupted():
        signal.raise_signal(signal.SIGINT)
        return 1.0

    assert not training.loop.fit(1, metric=Metric("bleu", interrupted))
    assert prepare_quickly().loop.fit(1)


def test_a_metric_may_come_later_or_go(prepare_quickly):
    metric = Metric("bleu", lambda: 7.0)
    prepare_quickly().loop.fit(1)
    prepare_quickly().loop.fit(2, metric=metric, patience=5)
    last = prepare_quickly()
    assert last.loop.fit(3)

    np.testing.assert_equal(last.loop.history.columns()["val_bleu"], [np.nan, 7, np.nan])
    assert len(last.loop.history.columns()["val_loss"]) == 3


@pytest.mark.slow
def test_kept_epochs(prepare):
    training = prepare("averaged", average_last_n=2)
    training.loop.fit(EPOCHS)
    folder = training.run.checkpoints / "epochs"

    assert {p.name for p in folder.glob("*.index")} == {"ckpt-12.index", "ckpt-18.index"}
    (folder / "ckpt-18 (copy).index").touch()  # of somebody else
    assert list(kept_epochs(Translator.load(training.run.path), training.run.path)) == [2, 3]
