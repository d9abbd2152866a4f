"""The training loop of every model: epochs, steps, validation, history, checkpoints."""

import contextlib
import math
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

import tensorflow as tf
from tqdm import tqdm

from tf_models.errors import Report
from tf_models.training.checkpoints import Checkpoints
from tf_models.training.interruption import Interruption
from tf_models.training.run_directory import History, RunDirectory
from tf_models.training.step import SummedLossModel, compile_steps
from tf_models.training.strategy import agree, distribute, is_chief

SAVE_SECONDS = 600  # between checkpoints within an epoch
CALL_SECONDS = 0.2  # several steps of a small model are one call; Ctrl-C waits so long
REPORT_SECONDS = 10.0  # between lines of short epochs
MANY_EPOCHS = 10**6  # where time counts in their place
MAX_SHOWN = 4  # figures on a line; history.csv has all


class TrainingLoop:
    """Trains a compiled model in a run directory, from its latest checkpoint on.

    Args:
        run: prepared.
        model: built, and compiled with an optimizer alone, in the strategy's scope.
        batches: training data: their number is `len`, and `batches_from(epoch, batch, end)` gives
            those from one of an epoch on, always the same ones.
        validation: all of it; or several parts, by name, each of which has figures of its own.
        epochs: in all, those of earlier sessions included.
        minutes: of training and validation, all sessions together, in place of `epochs`.
        fraction: share of these minutes that is over, which a schedule reads (`TimedCosine`).
        monitor: the column of history.csv that chooses the best epoch: the lowest of a loss, the
            highest of a score.
        patience: ends training after so many epochs without a better one; 0 never does.
        measure: further figures of the model after each epoch, by their names in history.csv.
        average_last_n: last epochs whose weights are kept, to be averaged.
        strategy: of the devices.
        report: takes the lines that are shown.
    """

    def __init__(
        self,
        run: RunDirectory,
        model: SummedLossModel,
        batches: Any,
        validation: tf.data.Dataset | Mapping[str, tf.data.Dataset],
        *,
        epochs: int,
        minutes: float = math.inf,
        fraction: tf.Variable | None = None,
        monitor: str = "val_loss",
        patience: int = 0,
        measure: Callable[[], dict[str, float]] | None = None,
        average_last_n: int = 0,
        strategy: tf.distribute.Strategy | None = None,
        report: Report = print,
    ):
        self.run, self.model, self.batches = run, model, batches
        self.epochs = epochs if minutes == math.inf else MANY_EPOCHS
        self._limit, self._fraction = 60 * minutes, fraction
        self._monitor, self._patience, self._measure = monitor, patience, measure
        self._strategy = strategy or tf.distribute.get_strategy()
        self._is_alone = self._strategy.cluster_resolver is None
        self.is_chief = is_chief(self._strategy)
        self._report = report if self.is_chief else lambda line: None
        parts = validation if isinstance(validation, Mapping) else {"": validation}
        self._validation = {n: distribute(part, self._strategy) for n, part in parts.items()}
        spec = next(iter(self._validation.values())).element_spec
        self._train_steps, self._test_step = compile_steps(model, self._strategy, spec)
        self._epoch = tf.Variable(0, dtype=tf.int64, trainable=False)  # finished ones
        self._batch = tf.Variable(0, dtype=tf.int64, trainable=False)  # of the epoch under way
        self._seconds = tf.Variable(0.0, dtype=tf.float64, trainable=False)  # of all sessions
        self._rows = tf.Variable("", trainable=False)  # history.csv
        progress = {"epoch": self._epoch, "batch": self._batch, "seconds": self._seconds}
        progress |= {"rows": self._rows, "totals": model.means.totals}
        if fraction is not None:
            progress["fraction"] = fraction
        with self._strategy.scope():
            model.optimizer.build(model.trainable_variables)
        self._checkpoints = Checkpoints(run.checkpoints, model, progress, average_last_n)
        if self._checkpoints.restore():
            self._report(f"resuming after epoch {int(self._epoch)}, batch {int(self._batch)}")
        self.history = History.parse(self._rows.numpy().decode())

    def fit(self) -> bool:
        """Train until the epochs are finished or the time is over; False if a signal ended it.

        A signal lets the step at hand finish, or the validation, and what is done is saved.

        Raises:
            InputError: the loss is no longer a number, a checkpoint cannot be written, or another
                process trains here.
        """
        self._has_compiled, self._steps_per_call, self._seconds_before = False, 1, math.inf
        self._reported, self._saved = -math.inf, time.perf_counter()
        left = self.batches.batches_from(int(self._epoch), int(self._batch), self.epochs)
        self._left = iter(distribute(left, self._strategy, repeats=True))
        lock = self.run.locked() if self.is_chief else contextlib.nullcontext()
        with lock, Interruption() as self._interruption:
            while not self._is_over():
                speed = self._train_epoch()
                if self._interruption.requested and self._is_alone:
                    self._save()
                    return False
                self._finish_epoch(self._means(), self._validate(), speed)
                if self._is_interrupted:
                    return False
        return True

    def _is_over(self) -> bool:
        """No epoch is to be trained any more; say why, unless all are."""
        if self._epoch >= self.epochs:
            return True
        if self._batch > 0 or not self.history.rows:
            return False
        if self._patience and self.history.epochs_since_best(self._monitor) >= self._patience:
            self._report(f"no better {self._monitor} in {self._patience} epochs")
            return True
        return self.seconds_left() <= 0

    def seconds_left(self) -> float:
        """Of the time for training and validation; inf if it has no limit."""
        return self._limit - float(self._seconds)

    def _train_epoch(self) -> float:
        """Train on the batches that the epoch has left; return units a second."""
        done, total = int(self._batch), len(self.batches)
        means = self.model.means
        if done == 0:
            means.reset_state()
        units, started = float(means.read()[-1]), time.perf_counter()
        options = {
            "total": total,
            "initial": done,
            "desc": f"epoch {int(self._epoch) + 1}",
            "unit": "batch",
        }
        with tqdm(**options, disable=None, leave=False) as bar:
            while done < total and not self._must_pause():
                count, compiled = min(self._steps_per_call, total - done), self._has_compiled
                self._train(count)
                if not compiled:  # the speed is that of the steps after it
                    units, started = float(means.read()[-1]), time.perf_counter()
                done += count
                bar.set_postfix_str(_show(self._means()), refresh=False)
                bar.update(count)
                if self._is_alone and time.perf_counter() - self._saved > SAVE_SECONDS:
                    self._save()
        return (float(means.read()[-1]) - units) / max(time.perf_counter() - started, 1e-9)

    def _must_pause(self) -> bool:
        """The time is over, or a signal came. Several workers end an epoch together."""
        over = self._interruption.requested or (self.seconds_left() <= 0 and self._batch > 0)
        return self._is_alone and over

    def _train(self, count: int) -> None:
        """Take some steps in one call: a return to Python costs as much as a small model's step."""
        began = time.perf_counter()
        self._train_steps(self._left, tf.constant(count))
        seconds = max(time.perf_counter() - began, 1e-9)
        self._batch.assign_add(count)
        self._seconds.assign_add(seconds)
        if self._has_compiled and self._is_alone:
            self._steps_per_call = max(1, round(count * CALL_SECONDS / seconds))
            if self._fraction is not None:
                to_go = (1 - self._fraction) * max(self.seconds_left(), 0) / self._seconds_before
                self._fraction.assign(1 - to_go)
        self._seconds_before = self.seconds_left()
        self._has_compiled = True  # which took seconds, in which nothing was learnt

    def _validate(self) -> dict[str, float]:
        """Figures of the validation data, by their names in history.csv: of all, of each part."""
        began, means, totals = time.perf_counter(), self.model.means, {}
        for part, batches in self._validation.items():
            means.reset_state()
            for batch in batches:
                self._test_step(*batch)
            totals[part] = means.read()
        figures = {f"val_{n}": v for n, v in means.of(sum(totals.values())).items()}
        if len(totals) > 1:
            for part, sums in totals.items():
                figures |= {f"val_{n}_{part}": v for n, v in means.of(sums).items()}
        if self._measure:
            measured = self._measure()
            figures |= dict(zip(measured, agree(self._strategy, *measured.values()), strict=True))
        self._seconds.assign_add(time.perf_counter() - began)
        return figures

    def _finish_epoch(
        self, means: dict[str, float], validated: dict[str, float], speed: float
    ) -> None:
        """Add a row to the history, save, and report."""
        own = float(self._seconds), float(self._interruption.requested)
        seconds, self._is_interrupted = agree(self._strategy, *own)
        self._seconds.assign(seconds)
        if self._fraction is not None and not self._is_alone:
            self._fraction.assign(min(1.0, seconds / self._limit))
        self._epoch.assign_add(1)
        self._batch.assign(0)
        row = {
            "epoch": int(self._epoch),
            **means,
            **validated,
            "learning_rate": float(tf.convert_to_tensor(self.model.optimizer.learning_rate)),
            f"{self.model.unit}_per_second": round(speed, 1),
            "seconds": round(seconds - sum(row["seconds"] for row in self.history.rows), 2),
        }
        self.history.rows.append(row)
        self._rows.assign(self.history.text)
        if self.is_chief:
            is_best = self.history.epochs_since_best(self._monitor) == 0
            self._checkpoints.save_epoch(int(self._epoch), is_best)
            self._save()
            self.run.write_history(self.history)
        self._report_epoch(row, means, validated)

    def _save(self) -> None:
        self._checkpoints.save()
        self._saved = time.perf_counter()

    def _report_epoch(
        self, row: dict[str, float], means: dict[str, float], validated: dict[str, float]
    ) -> None:
        """Show a line, unless the last one was shown just now."""
        now = time.perf_counter()
        is_last = self._epoch >= self.epochs or self.seconds_left() <= 0
        if now - self._reported < REPORT_SECONDS and not is_last:
            return
        self._reported = now
        left = min((self.epochs - row["epoch"]) * row["seconds"], max(0.0, self.seconds_left()))
        speed = f"{row[f'{self.model.unit}_per_second']:,.0f} {self.model.unit}/s"
        of_all = "" if self.epochs == MANY_EPOCHS else f"/{self.epochs}"
        self._report(
            f"epoch {row['epoch']}{of_all}: {_show(means)}, {speed}, {_show(validated)}, "
            f"{row['seconds']:.0f} s, {timedelta(seconds=int(left))} left"
        )

    def _means(self) -> dict[str, float]:
        return self.model.means.of(self.model.means.read())


def _show(figures: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.4f}" for name, value in list(figures.items())[:MAX_SHOWN])
