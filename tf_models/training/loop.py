"""Training loop of every model: epochs, validation, history, checkpoints."""

import contextlib
import math
import signal
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import tensorflow as tf
from filelock import FileLock
from tqdm import tqdm

from tf_models.base import SummedLossModel
from tf_models.errors import Report, TrainingInterrupted
from tf_models.files import write_text
from tf_models.training.checkpoints import Checkpoints
from tf_models.training.devices import compile_steps, distribute, worker_max
from tf_models.training.run_directory import History, RunDirectory

SAVE_SECONDS = 600  # between checkpoints within an epoch
CALL_SECONDS = 0.2  # several steps of a small model are one call; Ctrl-C waits so long
REPORT_SECONDS = 5.0  # between lines of short epochs, and within long ones without a bar
MANY_EPOCHS = 10**6  # more than any training has, where the time ends it


class TrainingLoop:
    """Training of a model in a run directory, from its latest checkpoint on.

    Args:
        run: run directory, prepared.
        model: built, and compiled with an optimizer alone, in a `device_scope`.
        batches: training data: an epoch has `len` batches, and `batches_from(epoch, batch, end)`
            gives those from one of an epoch on, always the same ones.
        validation: all validation data.
        epochs: number in all, those of earlier sessions included.
        minutes: time for training and validation, all sessions together, in place of `epochs`.
        monitor: column of history.csv that chooses the best epoch: the lowest of a loss, the
            highest of a score.
        patience: epochs without a better one after which training ends; 0 never ends it.
        measure: further figures of the model after each epoch, by their names in history.csv.
        average_last_n: last epochs whose weights are kept, to be averaged.
        report: takes the lines that are shown.
    """

    def __init__(
        self,
        run: RunDirectory,
        model: SummedLossModel,
        batches: Any,
        validation: tf.data.Dataset,
        *,
        epochs: int,
        minutes: float = math.inf,
        monitor: str = "val_loss",
        patience: int = 0,
        measure: Callable[[], dict[str, float]] | None = None,
        average_last_n: int = 0,
        report: Report = print,
    ):
        self.run = run
        self.model = model
        self.batches = batches
        self.epochs = epochs if minutes == math.inf else MANY_EPOCHS
        self._limit = 60 * minutes
        self._monitor = monitor
        self._patience = patience
        self._measure = measure
        self._strategy = model.distribute_strategy
        self._is_alone = self._strategy.cluster_resolver is None  # no cluster of machines
        self.is_chief = self._strategy.extended.should_checkpoint  # it writes the run directory
        self._report = report if self.is_chief else lambda line: None
        self._validation = distribute(validation, self._strategy)
        spec = self._validation.element_spec
        self._train_steps, self._test_step = compile_steps(model, self._strategy, spec)
        with self._strategy.scope():
            model.optimizer.build(model.trainable_variables)
        optimizer: Any = model.optimizer
        optimizer = getattr(optimizer, "inner_optimizer", optimizer)  # inside a LossScaleOptimizer
        self._epoch = tf.Variable(0, dtype=tf.int64, trainable=False)  # finished epochs
        self._batch = tf.Variable(0, dtype=tf.int64, trainable=False)  # finished in this epoch
        seconds = tf.Variable(0.0, dtype=tf.float64, trainable=False)  # in all sessions together
        self._seconds = getattr(optimizer._learning_rate, "seconds", seconds)  # a TimedCosine's
        self._rows = tf.Variable("", trainable=False)  # history.csv
        self._average_last_n = average_last_n
        self.history = History([])

    def restore(self) -> None:
        """Go back to the latest checkpoint, if there is one.

        Raises InputError: it is damaged or of another model.
        """
        progress = {
            "epoch": self._epoch,
            "batch": self._batch,
            "seconds": self._seconds,
            "rows": self._rows,
            "totals": self.model.means.totals.value,
        }
        folder = self.run.checkpoints
        self._checkpoints = Checkpoints(folder, self.model, progress, self._average_last_n)
        is_begun = self._checkpoints.restore()
        self.history = History.parse(self._rows.numpy().decode())
        if is_begun and self._is_over():
            self._report("this training has ended: nothing is left to train")
        elif is_begun:
            self._report(f"resuming after epoch {int(self._epoch)}, batch {int(self._batch)}")

    def fit(self) -> None:
        """Train from the latest checkpoint until epochs or time are over.

        Signals are handled in the main thread alone.

        Raises:
            TrainingInterrupted: by a signal, once the step or the validation at hand is saved.
            InputError: the loss is no longer a number, or the checkpoint cannot be read.
            filelock.Timeout: another process trains here.
        """
        size = f"{self.model.count_params():,} parameters"
        self._report(f"model: {size}; run directory {self.run.path}")
        lock = FileLock(self.run.lock_file, timeout=0)
        reported_at = -math.inf
        with lock if self.is_chief else contextlib.nullcontext(), _signals() as signals:
            self.restore()
            dataset = self.batches.batches_from(int(self._epoch), int(self._batch), self.epochs)
            batches = iter(distribute(dataset, self._strategy, repeats=True))
            if self.is_chief and not self._is_over():
                write_text(
                    self.run.config_file, self.run.config_text
                )  # others may have prepared it
                self._logs = tf.summary.create_file_writer(str(self.run.logs))
                self._report("compiling the training step")
            while not self._is_over():
                speed = self._train_epoch(batches, signals)
                if signals and self._is_alone:
                    self._checkpoints.save()
                    raise TrainingInterrupted(self.run.path)
                figures = self._means() | self._validate()  # in this order: it resets the means
                seconds, stops = worker_max(self._strategy, self._seconds.numpy(), len(signals))
                self._finish_epoch(figures, speed, seconds)
                if time.perf_counter() - reported_at > REPORT_SECONDS or self._is_over():
                    self._report(self._line())
                    reported_at = time.perf_counter()
                if stops:
                    raise TrainingInterrupted(self.run.path)
        if self._is_out_of_patience():
            self._report(f"no better {self._monitor} in {self._patience} epochs")

    def _is_over(self) -> bool:
        if self._epoch >= self.epochs:
            return True
        # An epoch that has begun, or the very first one, ends with validation and a row.
        owes_row = self._batch > 0 or not self.history.rows
        return not owes_row and (self.seconds_left() <= 0 or self._is_out_of_patience())

    def _is_out_of_patience(self) -> bool:
        return 0 < self._patience <= self.history.epochs_since_best(self._monitor)

    def seconds_left(self) -> float:
        """Seconds left for training and validation; inf without a limit."""
        return self._limit - self._seconds.numpy()

    def _train_epoch(self, batches: Iterator, signals: list[float]) -> float:
        """Train on the remaining batches of the epoch; return units per second.

        A signal leaves the rest of the epoch to a resumed training; when the time is over, the part
        that is trained counts as the epoch. Several workers end an epoch together.
        """
        done = int(self._batch)
        total = len(self.batches)
        if done == 0:
            self.model.means.reset_state()
        self._train_steps(batches, tf.constant(0))  # none: compiles them before time counts
        units_before = self._units()
        saved_at = time.perf_counter()
        shown_at = saved_at
        spent = 0.0
        count = 1  # batches of a call
        title = f"epoch {int(self._epoch) + 1}"
        bar = tqdm(total=total, initial=done, desc=title, unit="batch", disable=None, leave=False)
        with bar:
            while done < total:
                if self._is_alone and (signals or (done and self.seconds_left() <= 0)):
                    break
                count = min(count, total - done)
                began = time.perf_counter()
                self._train_steps(batches, tf.constant(count))
                seconds = time.perf_counter() - began
                spent += seconds
                done += count
                self._batch.assign(done)
                bar.set_postfix_str(_show(self._means()), refresh=False)
                bar.update(count)
                if bar.disable and time.perf_counter() - shown_at > REPORT_SECONDS:
                    self._report(f"{title}, batch {done:,} of {total:,}: {_show(self._means())}")
                    shown_at = time.perf_counter()
                if self._is_alone:
                    self._seconds.assign_add(seconds)
                    count = max(1, round(count * CALL_SECONDS / max(seconds, 1e-6)))
                    if time.perf_counter() - saved_at > SAVE_SECONDS:
                        self._checkpoints.save()
                        saved_at = time.perf_counter()
        if not self._is_alone:  # a TimedCosine reads it: within an epoch, all workers have the same
            self._seconds.assign_add(spent)
        return (self._units() - units_before) / max(spent, 1e-9)

    def _validate(self) -> dict[str, float]:
        """Figures of the validation data, by their names in history.csv."""
        began = time.perf_counter()
        self.model.means.reset_state()
        for batch in self._validation:
            self._test_step(*batch)
        figures = {f"val_{name}": value for name, value in self._means().items()}
        if self._measure:
            measured = self._measure()
            figures |= dict(
                zip(measured, worker_max(self._strategy, *measured.values()), strict=True)
            )
        self._seconds.assign_add(time.perf_counter() - began)
        return figures

    def _finish_epoch(self, figures: dict[str, float], speed: float, seconds: float) -> None:
        """Add a row to the history, and save; `seconds` are those of all epochs."""
        self._seconds.assign(seconds)
        self._epoch.assign_add(1)
        self._batch.assign(0)
        row = {
            "epoch": int(self._epoch),
            **figures,
            "learning_rate": float(tf.convert_to_tensor(self.model.optimizer.learning_rate)),
            f"{self.model.unit}_per_second": round(speed, 1),
            "seconds": round(seconds - sum(row["seconds"] for row in self.history.rows), 2),
        }
        self.history.rows.append(row)
        self._rows.assign(self.history.text)
        self._checkpoints.check_weights()  # by every worker: if the chief alone raised, others hang
        if self.is_chief:
            is_best = self.history.epochs_since_best(self._monitor) == 0
            # If a kill comes between this file and the checkpoint, the epoch is trained again.
            write_text(self.run.history_file, self.history.text)
            self._checkpoints.save(int(self._epoch), is_best)
            with self._logs.as_default(step=row["epoch"]):
                for name in row.keys() - {"epoch"}:
                    tf.summary.scalar(name, row[name])
                self._logs.flush()

    def _line(self) -> str:
        """The last row of the history for the screen."""
        row = self.history.rows[-1]
        unit = self.model.unit
        trained = _show({name: row[name] for name in self.model.means.names})
        validated = _show({name: row[name] for name in row if name.startswith("val_")})
        total = "" if self.epochs == MANY_EPOCHS else f"/{self.epochs}"
        speed = f"{row[f'{unit}_per_second']:,.0f} {unit}/s"
        left = min((self.epochs - row["epoch"]) * row["seconds"], max(0.0, self.seconds_left()))
        return (
            f"epoch {row['epoch']}{total}: {trained}, {speed}, {validated}, "
            f"{row['seconds']:.0f} s, {timedelta(seconds=int(left))} left"
        )

    def _means(self) -> dict[str, float]:
        return {name: float(mean) for name, mean in self.model.means.result().items()}

    def _units(self) -> float:
        return float(self.model.means.totals[-1])


def _show(figures: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.4f}" for name, value in list(figures.items())[:4])


@contextlib.contextmanager
def _signals() -> Iterator[list[float]]:
    """Times of the signals in the block; a later one is a KeyboardInterrupt.

    In another thread than the main one, which alone may handle signals, there are none.
    """
    times: list[float] = []

    def note(number: int, frame: object) -> None:
        if times and time.monotonic() - times[0] > 1:  # `timeout` signals twice at once
            raise KeyboardInterrupt
        times.append(time.monotonic())

    is_main = threading.current_thread() is threading.main_thread()
    numbers = (signal.SIGINT, signal.SIGTERM) if is_main else ()
    handlers = {number: signal.signal(number, note) for number in numbers}
    try:
        yield times
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
