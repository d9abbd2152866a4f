"""The training loop: epochs, progress, validation, history, checkpoints and exact resumption."""

import math
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, Protocol, cast

import tensorflow as tf
from tqdm import tqdm

from tf_models.errors import InputError, Report
from tf_models.training.checkpoints import Checkpoints
from tf_models.training.distributed.workers import Workers
from tf_models.training.interruption import Interrupted, Interruption
from tf_models.training.run_directory import History, RunDirectory
from tf_models.training.train_step import TrainStep

CHECKPOINT_SECONDS = 600  # between checkpoints within an epoch: what a crash can cost
CALL_SECONDS = 0.2  # a reader hardly notices that progress and Ctrl-C wait so long
REPORT_SECONDS = 10.0  # at least between the lines of two epochs: some have hundreds of short ones
MAX_SHOWN = 4  # figures on a line, of training and of validation each


class Batches(Protocol):
    """What the loop asks of the training data."""

    def __len__(self) -> int:
        """Number of batches in an epoch."""

    def batches_from(self, epoch: int, batch: int, end: int) -> tf.data.Dataset:
        """All that is left from a batch of an epoch on, up to the epoch `end`, which is left out.

        An epoch's batches are always the same, in the same order.
        """


class Metric(NamedTuple):
    """What else to know of the model after each epoch; the higher, the better."""

    name: str
    compute: Callable[[], float]


class TrainingLoop:
    """Trains in a run directory, from wherever its latest checkpoint stands.

    What is done is saved before anything else may fail: each epoch before its validation and before
    it is reported, and a long one every `CHECKPOINT_SECONDS`.

    Of several workers each has a loop of its own. Whatever a clock, a signal or a file says is
    asked of the chief, so that all of them take the same steps.

    Args:
        run: a prepared run directory.
        step: one of this model and this objective.
        batches: training data.
        validation: the whole validation data, distributed already. It may have several parts, by
            name; each then has figures of its own besides.
        workers: the processes that train.
        average_last_n: last epochs whose weights are kept, for `load_average`.
        seconds: of training and validating, all sessions together, in place of a number of epochs.
        fraction: how much of them is over, 0 to 1, as the learning rate's schedule reads it; the
            first step of a session, which is compiled, does not count.
    """

    def __init__(
        self,
        run: RunDirectory,
        step: TrainStep,
        batches: Batches,
        validation: Mapping[str, Iterable],
        workers: Workers,
        *,
        average_last_n: int = 0,
        seconds: float = math.inf,
        fraction: tf.Variable | None = None,
        report: Report = print,
    ):
        self._limit, self._fraction, self._counted = seconds, fraction, time.perf_counter()
        self.step, self._batches, self._validation = step, batches, validation
        self._run, self.workers = run, workers
        self._report = report if workers.is_chief else lambda line: None
        self._call_seconds, self._steps_per_call = CALL_SECONDS, 1
        self._epoch = tf.Variable(0, dtype=tf.int64, trainable=False)  # finished epochs
        self._batch = tf.Variable(0, dtype=tf.int64, trainable=False)  # in the epoch under way
        self._seconds = tf.Variable(0.0, dtype=tf.float64, trainable=False)  # likewise
        self._rows = tf.Variable("", trainable=False)  # history.csv up to the finished epochs
        progress = {"epoch": self._epoch, "batch": self._batch, "seconds": self._seconds}
        progress |= {"history": self._rows, **step.metrics.variables}
        if fraction is not None:
            progress["fraction"] = fraction
        options: dict[str, Any] = {"average_last_n": average_last_n, "outputs": step.outputs}
        self._checkpoints = Checkpoints(run, step.model, step.optimizer, progress, **options)
        if self._restore():
            self._report(f"going on after epoch {self._epoch.numpy()}, batch {self._batch.numpy()}")
            for change in filter(None, (*run.changes, self._checkpoints.change)):
                self._report(f"not what an uninterrupted run would give: {change}")
        self._writer = tf.summary.create_noop_writer()
        if run.writes:
            self._writer = tf.summary.create_file_writer(str(run.logs))

    def _restore(self) -> bool:
        """Go back to the latest checkpoint, if there is one."""
        self.workers.wait()  # until the chief has done what it does to the files
        restored = self._checkpoints.restore()
        self.history = History(self._run.history_file, self._rows.numpy().decode())
        return restored

    def fit(self, epochs: int, *, metric: Metric | None = None, patience: int = 0) -> bool:
        """Train until `epochs` are finished, or the time is over, within an epoch perhaps; return
        False if a signal ended it before.

        Args:
            epochs: in all, those of earlier sessions included; with a limit of time they do not
                count.
            metric: what makes one checkpoint better than another; the validation loss if left out.
            patience: end after so many epochs without a better one; 0 does not.

        Raises:
            InputError: the loss is no longer a number, a file cannot be written, another process
                trains here, or another worker is lost.
        """
        if self._limit < math.inf:
            epochs = sys.maxsize
        self._metric, self._left = metric, cast(Iterator | None, None)
        self._counted, self._reported = time.perf_counter(), -math.inf
        self._compiling: float | None = None
        # In the midst of a validation the other workers could not follow.
        listening = Interruption(allows_immediate=self.workers.alone)
        with self.workers.together(), self._run.locked(), listening as interruption:
            self._complete_last_epoch()
            while self._goes_on(epochs, patience):
                if self.workers.any(interruption.requested):
                    break
                speed = self._train_epoch(epochs, interruption)
                self._save_partial()  # before validation, which may take long
                if self.workers.any(interruption.requested):
                    break
                means = self.step.metrics.means()
                try:
                    with interruption.immediate():
                        validated = self._validate()
                except Interrupted:
                    self._restore()  # to before the validation
                    break
                self._finish_epoch(means, validated, speed)
                self._save_epoch()
                self._report_epoch(means, validated, speed, epochs, patience)
                self._write_summaries(self.history.rows[-1])
            interrupted = self.workers.any(interruption.requested)
            if not interrupted and (reason := self._stop_reason(patience)):
                done = round(self._number() / len(self._batches), 1)
                self._report(f"{reason}, after {done:g} epochs")
        return not interrupted

    def _complete_last_epoch(self) -> None:
        """Write what a kill just after the last checkpoint has left out."""
        if not self.history.rows or not self._run.writes:
            return
        self.history.save()
        if self._batch == 0 and self._criterion in self.history.rows[-1]:
            self._save_what_is_chosen_from()
            self._checkpoints.prune()

    def _save_epoch(self) -> None:
        # The best one and those of the last epochs are never ahead of the one to go on from.
        self._checkpoints.save(self._number())
        self._save_what_is_chosen_from()
        if self._run.writes:
            self.history.save()

    def _save_what_is_chosen_from(self) -> None:
        if self._since_best() == 0:
            self._checkpoints.save_best(self._number())
        self._checkpoints.save_epoch(self._number())

    def _save_partial(self) -> None:
        self._count_seconds()
        if not self._checkpoints.are_finite():
            self._refuse_to_go_on()
        self._checkpoints.save_partial(self._number())

    def _count_seconds(self) -> None:
        now = time.perf_counter()
        self._seconds.assign_add(self.workers.follow(now - self._counted))
        self._counted = now

    def _refuse_to_go_on(self) -> None:
        epoch = int(self._epoch) + 1
        self._restore()
        raise InputError(
            f"the loss is no longer a number in epoch {epoch}, and nothing of that is kept; repeat "
            "the command with a lower learning rate or with a norm that gradients are clipped to "
            "(see optimizer in --help). "
            f"It goes on from the last good checkpoint: {self._checkpoints.newest}"
        )

    def _goes_on(self, epochs: int, patience: int) -> bool:
        """Whether an epoch is under way, perhaps with its validation alone left, or is to begin."""
        return self._epoch < epochs and (self._batch > 0 or not self._stop_reason(patience))

    def _stop_reason(self, patience: int) -> str | None:
        """Why to train no further, whatever the number of epochs."""
        if patience and self.history.rows and self._since_best() >= patience:
            return f"no better {self._criterion} in {patience} epochs"
        if self.history.rows and self._seconds_left() <= 0:
            return "the time is over"
        return None

    def _seconds_left(self) -> float:
        """Of the time to train in, by the chief's clock."""
        if self._limit == math.inf:
            return math.inf
        return self.workers.follow(self._limit - self.elapsed())

    def elapsed(self) -> float:
        """Seconds since the training began, those between sessions left out."""
        finished = sum(row["seconds"] for row in self.history.rows)
        return finished + float(self._seconds) + time.perf_counter() - self._counted

    @property
    def _criterion(self) -> str:
        return f"val_{self._metric.name}" if self._metric else "val_loss"

    def _since_best(self) -> int:
        return self.history.since_best(self._criterion, highest=bool(self._metric))

    def _number(self) -> int:
        return int(self.step.optimizer.iterations.numpy())

    def _train_epoch(self, epochs: int, interruption: Interruption) -> float:
        """Train on the batches that the epoch still has; return the speed in units a second."""
        epoch, done, metrics = int(self._epoch), int(self._batch), self.step.metrics
        if done == 0:
            metrics.reset()
        saved = started = time.perf_counter()
        before = metrics.count
        if self._left is None:
            left = self._batches.batches_from(epoch, done, epochs)
            self._left = iter(self.workers.distribute(left, repeats=True))

        def speed() -> float:
            return (metrics.count - before) / max(time.perf_counter() - started, 1e-9)

        def figures() -> str:
            return self._figures(metrics.means(), speed()) if done else "the first step compiles"

        total, seconds = len(self._batches), self._seconds_left()
        options: dict[str, Any] = {
            "total": total,
            "initial": done,
            "unit": "batch",
            "leave": False,
            "disable": None,
        }
        with tqdm(desc=self._title(epochs, epoch + 1), **options) as bar:
            while done < total and not self.workers.any(interruption.requested):
                if seconds <= 0 and self._number():
                    break
                count = int(self.workers.follow(min(self._steps_per_call, total - done)))
                self._train_steps(count)
                seconds = self._come_down(seconds)
                if self._compiling is None:
                    self._compiling = time.perf_counter() - started
                    bar.unpause()  # its forecast leaves that out, and so does the speed
                    if done + count < total:
                        before, started = metrics.count, time.perf_counter()
                done += count
                if not bar.disable:
                    bar.set_postfix_str(figures(), refresh=False)
                bar.update(count)
                if self.workers.follow(time.perf_counter() - saved > CHECKPOINT_SECONDS):
                    self._save_partial()
                    saved = time.perf_counter()
        self._count_seconds()
        return speed()

    def _come_down(self, before: float) -> float:
        """Move the learning rate on, as the seconds that are left were so many before; return how
        many are left now.
        """
        left = self._seconds_left()
        if self._fraction is not None and self._compiling is not None:
            to_go = 1 - float(self._fraction.read_value().numpy())
            self._fraction.assign(1 - to_go * max(left, 0) / before)
        return left

    def _train_steps(self, count: int) -> None:
        """Train on the next batches in one call: a return to Python costs a small model's step."""
        started = time.perf_counter()
        self.step.train_steps(cast(Iterator, self._left), count)
        seconds = max(time.perf_counter() - started, 1e-9)
        self._steps_per_call = max(1, round(count * self._call_seconds / seconds))
        self._batch.assign_add(count)

    def _validate(self) -> list[dict[str, float]]:
        """Figures of the validation data, by their names in history.csv: of all of it, and then of
        each part, if there are several."""
        metrics, of_parts = self.step.metrics, []
        metrics.reset()
        for part, batches in self._validation.items():
            before = metrics.totals()
            for number, batch in enumerate(batches):
                began = time.perf_counter()
                self.step.validation_step(*batch)
                if self._compiling and number == 0:
                    self._compiling += time.perf_counter() - began
            means = metrics.means(since=before)
            of_parts.append({f"val_{name}_{part}": value for name, value in means.items()})
        of_all = {f"val_{name}": value for name, value in metrics.means().items()}
        if self._metric:
            of_all[self._criterion] = self.workers.follow(self._metric.compute())
        return [of_all, *(of_parts if len(of_parts) > 1 else [])]

    def _finish_epoch(
        self, means: dict[str, float], validated: list[dict[str, float]], speed: float
    ) -> None:
        """Add a row to the history and move on to the next epoch."""
        self._count_seconds()
        row = {
            "epoch": int(self._epoch) + 1,
            **means,
            **{name: value for figures in validated for name, value in figures.items()},
            "learning_rate": float(self.step.optimizer.learning_rate),
            f"{self.step.metrics.unit}_per_second": round(speed, 1),
            "seconds": math.ceil(float(self._seconds) * 100) / 100,
        }
        if not all(map(math.isfinite, row.values())):
            self._checkpoints.delete_partial()  # it would lead here again
            self._refuse_to_go_on()
        self.history.rows.append(row)
        self._rows.assign(self.history.text)
        self._batch.assign(0)
        self._seconds.assign(0)
        self._epoch.assign_add(1)

    def _report_epoch(
        self,
        means: dict[str, float],
        validated: list[dict[str, float]],
        speed: float,
        epochs: int,
        patience: int,
    ) -> None:
        """Say what the epoch came to, unless it was a short one between others."""
        of_all, *of_parts = validated
        seconds, now = self.history.rows[-1]["seconds"], time.perf_counter()
        left = (epochs - int(self._epoch)) * max(0.0, seconds - (self._compiling or 0.0))
        self._compiling = 0.0  # only the first epoch of a session has it
        goes_on = self._goes_on(epochs, patience)
        if goes_on and now - self._reported < REPORT_SECONDS:
            return
        self._reported = now
        to_go = divmod(int(min(left, max(0.0, self._limit - self.elapsed()))), 60)
        self._report(
            f"{self._title(epochs)}: {self._figures(means, speed)}, {_show(of_all)}, "
            f"{seconds:.0f} s, {to_go[0]}:{to_go[1]:02d} left"
        )
        for figures in of_parts:
            self._report(f"  {_show(figures)}")

    def _title(self, epochs: int, number: int | None = None) -> str:
        """What an epoch is called; the last finished one if no number is given."""
        of_all = "" if self._limit < math.inf else f"/{epochs}"
        return f"epoch {number or int(self._epoch)}{of_all}"

    def _figures(self, means: dict[str, float], speed: float) -> str:
        return f"{_show(means)}, {speed:,.0f} {self.step.metrics.unit}/s"

    def _write_summaries(self, row: dict[str, float]) -> None:
        with self._writer.as_default(step=int(row["epoch"])):
            for name in row.keys() - {"epoch"}:
                tf.summary.scalar(name, row[name])
        self._writer.flush()


def _show(figures: dict[str, float]) -> str:
    """The first ones: a hierarchical model has a KL for each group, which history.csv keeps."""
    return ", ".join(f"{name} {value:.4f}" for name, value in list(figures.items())[:MAX_SHOWN])
