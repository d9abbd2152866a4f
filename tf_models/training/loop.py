"""The training loop: epochs, progress, validation, history, checkpoints and exact resumption."""

import math
import time
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, Protocol

import keras
import tensorflow as tf
from tqdm import tqdm

from tf_models.errors import InputError
from tf_models.training.checkpoints import Checkpoints
from tf_models.training.history import History
from tf_models.training.interruption import Interruption
from tf_models.training.pace import Pace
from tf_models.training.run_directory import RunDirectory

MOST_SHOWN = 4  # figures on a line, of training and of validation each


class Metrics(Protocol):
    """What the loop asks of a step's running means."""

    unit: str  # what is counted: "tokens", "images"
    variables: dict[str, tf.Variable]

    def reset(self) -> None:
        """Start at zero again."""

    @property
    def count(self) -> float:
        """Number of units so far."""

    def means(self) -> dict[str, float]:
        """Loss and other figures so far, by name."""


class Step(Protocol):
    """What the loop asks of a model family's train step."""

    model: keras.Model
    optimizer: keras.optimizers.Optimizer
    metrics: Metrics

    def train_steps(self, batches: Iterator, count: int) -> None:
        """Update the weights and the metrics with each of the next batches."""

    def validation_step(self, *batch: tf.Tensor) -> None:
        """Update the metrics."""


class Batches(Protocol):
    """What the loop asks of the training data."""

    def epoch(self, epoch: int) -> tf.data.Dataset:
        """The batches of an epoch, always in the same order; their number is known."""


class Metric(NamedTuple):
    """What else to know of the model after each epoch; the higher, the better."""

    name: str
    compute: Callable[[], float]


class TrainingLoop:
    """Trains in a run directory, from wherever its latest checkpoint stands.

    Args:
        run: a prepared run directory.
        step: the model family's train step.
        batches: training data.
        validation: the whole validation data, distributed already.
        strategy: how to distribute the training data.
        averaged: last epochs whose weights are kept to be averaged.
        report: what to do with a line for the reader.
    """

    def __init__(
        self,
        run: RunDirectory,
        step: Step,
        batches: Batches,
        validation: Iterable,
        strategy: tf.distribute.Strategy,
        *,
        averaged: int = 0,
        report: Callable[[str], None] = print,
    ):
        self._step, self._batches, self._validation = step, batches, validation
        self._run, self._strategy, self._report = run, strategy, report
        self._pace = Pace()
        self._epoch = tf.Variable(0, dtype=tf.int64, trainable=False)  # finished epochs
        self._batch = tf.Variable(0, dtype=tf.int64, trainable=False)  # in the epoch under way
        self._seconds = tf.Variable(0.0, dtype=tf.float64, trainable=False)  # likewise
        self._checkpoints = Checkpoints(
            run.checkpoints,
            step.model,
            step.optimizer,
            {
                "epoch": self._epoch,
                "batch": self._batch,
                "seconds": self._seconds,
                **step.metrics.variables,
            },
            averaged,
        )
        if self._checkpoints.restore():
            report(f"going on after epoch {self._epoch.numpy()}, batch {self._batch.numpy()}")
        self.history = History(run.history_file, self._epoch.numpy())
        self._writer = tf.summary.create_file_writer(str(run.logs))

    def fit(
        self,
        epochs: int,
        checkpoint_every: int = 1,
        *,
        metric: Metric | None = None,
        patience: int = 0,
        minutes: float = math.inf,
    ) -> bool:
        """Train until `epochs` are finished; return False if Ctrl-C ended it before.

        Args:
            epochs: in all, those of earlier sessions included.
            checkpoint_every: epochs between two checkpoints.
            metric: what makes one checkpoint better than another; the validation loss if left out.
            patience: end after so many epochs without a better one; 0 does not.
            minutes: begin no epoch after so much training, earlier sessions included.
        """
        self._metric = metric
        with self._run.locked(), Interruption() as interruption:
            for epoch in range(int(self._epoch.numpy()), epochs):
                if self._stop_reason(patience, minutes):
                    break
                started = time.perf_counter()
                speed = self._run_epoch(epoch, epochs, interruption)
                if interruption.requested:
                    self._seconds.assign_add(time.perf_counter() - started)
                    self._checkpoints.save(self._number())
                    return False
                self._finish_epoch(epoch + 1, epochs, started, speed)
                over = epoch + 1 == epochs or self._stop_reason(patience, minutes)
                if over or (epoch + 1) % checkpoint_every == 0:
                    self._checkpoints.save(self._number())
                self._write_summaries(self.history.rows[-1])
            if reason := self._stop_reason(patience, minutes):
                self._report(f"{reason}, after {self._epoch.numpy()} of {epochs} epochs")
        return not interruption.requested

    def _stop_reason(self, patience: int, minutes: float) -> str | None:
        """Why to train no further, whatever the number of epochs."""
        if patience and self.history.rows and self._since_best() >= patience:
            return f"no better {self._criterion} in {patience} epochs"
        spent = sum(row["seconds"] for row in self.history.rows) / 60
        return f"{spent:.1f} minutes of training are over" if spent >= minutes else None

    @property
    def _criterion(self) -> str:
        return f"val_{self._metric.name}" if self._metric else "val_loss"

    def _since_best(self) -> int:
        return self.history.since_best(self._criterion, highest=bool(self._metric))

    def _number(self) -> int:
        return int(self._step.optimizer.iterations.numpy())

    def _run_epoch(self, epoch: int, epochs: int, interruption: Interruption) -> float:
        """Train on the batches that the epoch still has; return the speed in tokens a second."""
        done = int(self._batch.numpy())
        metrics = self._step.metrics
        if done == 0:
            metrics.reset()
        before, started = metrics.count, time.perf_counter()
        batches = self._batches.epoch(epoch)
        total = len(batches)
        with _progress_bar(total, done, f"epoch {epoch + 1}/{epochs}") as bar:
            left = iter(self._strategy.experimental_distribute_dataset(batches.skip(done)))
            while done < total and not interruption.requested:
                count = min(self._pace.batches, total - done)
                with self._pace.measured(count):
                    self._step.train_steps(left, count)
                self._batch.assign_add(count)
                done += count
                if bar.update(count):  # about to be drawn; reading them each time would cost
                    speed = (metrics.count - before) / (time.perf_counter() - started)
                    bar.set_postfix_str(self._figures(metrics.means(), speed), refresh=False)
        return (metrics.count - before) / (time.perf_counter() - started)

    def _finish_epoch(self, epoch: int, epochs: int, started: float, speed: float) -> None:
        means = self._step.metrics.means()
        validated = {f"val_{name}": value for name, value in self._validate().items()}
        if self._metric:
            validated[self._criterion] = self._metric.compute()
        row = {
            "epoch": epoch,
            **means,
            **validated,
            "learning_rate": float(self._step.optimizer.learning_rate),
            f"{self._step.metrics.unit}_per_second": round(speed, 1),
            "seconds": round(self._seconds.numpy() + time.perf_counter() - started, 2),
        }
        if not math.isfinite(row["loss"] + row["val_loss"]):
            raise InputError(
                f"the loss is no longer a number in epoch {epoch}; lower the learning rate. "
                f"The last good checkpoint is of epoch {self._epoch.numpy()}"
            )
        self._batch.assign(0)
        self._seconds.assign(0)
        self._epoch.assign(epoch)
        self.history.add(row)
        left = (epochs - epoch) * row["seconds"]
        self._report(
            f"epoch {epoch}/{epochs}: {self._figures(means, speed)}, {_show(validated)}, "
            f"{row['seconds']:.0f} s, {_minutes(left)} left"
        )
        if self._since_best() == 0:
            self._checkpoints.save_best(self._number())
        self._checkpoints.save_epoch(self._number())

    def _figures(self, means: dict[str, float], speed: float) -> str:
        return f"{_show(means)}, {speed:,.0f} {self._step.metrics.unit}/s"

    def _validate(self) -> dict[str, float]:
        self._step.metrics.reset()
        for batch in self._validation:
            self._step.validation_step(*batch)
        return self._step.metrics.means()

    def _write_summaries(self, row: dict[str, float]) -> None:
        with self._writer.as_default(step=int(row["epoch"])):
            for name in row.keys() - {"epoch"}:
                tf.summary.scalar(name, row[name])
        self._writer.flush()


def _show(figures: dict[str, float]) -> str:
    """The first ones: a hierarchical model has a KL for each group, which history.csv keeps."""
    return ", ".join(f"{name} {value:.4f}" for name, value in list(figures.items())[:MOST_SHOWN])


def _progress_bar(total: int, done: int, title: str) -> tqdm:
    return tqdm(
        total=total,
        initial=done,
        desc=title,
        unit="batch",
        leave=False,
        disable=None,
        mininterval=0.5,
    )


def _minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
