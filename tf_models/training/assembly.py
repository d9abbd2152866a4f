"""A training, put together: what every model family's training has in common."""

import contextlib
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import keras
import tensorflow as tf

from tf_models.errors import Report
from tf_models.runtime import use_cores_for_training
from tf_models.training.distributed.workers import Workers
from tf_models.training.loop import Batches, Metric, TrainingLoop
from tf_models.training.run_directory import RunDirectory, run_config
from tf_models.training.settings import Settings, check_seed
from tf_models.training.train_step import Objective, TrainStep, count_shards

END_SECONDS = 10.0  # of a command after its training: scores and figures
LEAST_SHARE = 0.7  # of the time that is for training


def make_reproducible(seed: int) -> None:
    """Seed every random generator (see `check_seed`); TensorFlow uses deterministic operations."""
    keras.utils.set_random_seed(check_seed(seed))
    tf.config.experimental.enable_op_determinism()


class Trainable(NamedTuple):
    """What is trained, how, and for what; the model is built."""

    model: keras.Model
    optimizer: keras.optimizers.Optimizer
    objective: Objective


@dataclass(frozen=True)
class Training:
    """A training in its run directory, ready to `fit`.

    settings: with a section `training`, whose `epochs` and perhaps `patience` count.
    metric: what makes one epoch better than another; the validation loss if None.
    minutes: for all that the command does, those of earlier sessions included.
    """

    run: RunDirectory
    settings: Any
    batches: Batches
    loop: TrainingLoop
    metric: Metric | None = None
    minutes: float = math.inf

    @property
    def step(self) -> TrainStep:
        """The train step."""
        return self.loop.step

    @property
    def model(self) -> keras.Model:
        """What is trained."""
        return self.loop.step.model

    def fit(self) -> bool:
        """Train to the end of the settings, or of the time; return False if Ctrl-C ended it
        before.
        """
        training = self.settings.training
        patience = getattr(training, "patience", 0)
        return self.loop.fit(training.epochs, metric=self.metric, patience=patience)

    def seconds_left(self) -> float:
        """Of the time for all that the command does; inf if it has no limit."""
        return 60 * self.minutes - self.loop.elapsed()


class Preparation:
    """What every training does before its first step: seed, workers, run directory, cores, loop.

        start = Preparation(run, settings, seed, strategy, report)
        with start.directory("translator", data):
            ...  # whatever else lies in the run directory
        start.share_cores(tokens, least)
        batches = ...
        return start.assemble(batches, validation, make)

    It sets TensorFlow's threads, too, if TensorFlow has computed nothing yet.

    Args:
        run: new, or made by the same training before.
        seed: of weights, noise and order, 0 to 2**32 - 1.
        strategy: how to distribute; TensorFlow's default strategy (one device) if left out.
        minutes: how long the command may take from the first step on, its end included, those of
            earlier sessions, too. A cosine then spans them, and epochs do not count.

    fraction: of the time for training, for the schedule of the learning rate; None without a limit
        or a cosine, and before `assemble` calls `make`.
    """

    fraction: tf.Variable | None = None

    def __init__(
        self,
        run: RunDirectory,
        settings: Settings,
        seed: int,
        strategy: tf.distribute.Strategy | None = None,
        report: Report = print,
        minutes: float = math.inf,
    ):
        self.settings, self.seed, self.report = settings, seed, report
        self._minutes = minutes
        self._strategy = strategy or tf.distribute.get_strategy()
        make_reproducible(seed)
        self._workers = Workers(self._strategy)
        self.run = run if self._workers.is_chief else RunDirectory(run.path, writes=False)
        self._num_shards = 1

    @contextlib.contextmanager
    def directory(
        self, kind: str, data: Mapping, *changeable: str, **further: object
    ) -> Iterator[None]:
        """Make the run directory, or check that it was made for the same training; in the block the
        chief, before other workers, may write more into it. No variable may be made there, because
        of several workers each one waits for all.

        For config.json there are the kind of the run, what it is trained on (`data`), and further
        entries. Beside changeable settings, what stands at these places in it may change. Raises
        InputError: see `RunDirectory.prepare`.
        """
        config = run_config(kind, self.settings, data, self.seed, self._minutes) | further
        with self._workers.chief_first():
            self.run.prepare(config, ["training.epochs", *changeable])
            yield

    def share_cores(self, batch_size: int, least: int) -> None:
        """Cut a replica's batch into shards, each of which has one core or several from now on.

        Call it before TensorFlow computes anything (see `tf_models.runtime`). A batch has about
        `batch_size` tokens, or examples, and a shard `least` of them or more.
        """
        of_replica = batch_size // self._strategy.num_replicas_in_sync
        gpus = tf.config.list_physical_devices("GPU")  # one takes a batch whole
        self._num_shards = 1 if gpus else count_shards(of_replica, least)
        use_cores_for_training(self._num_shards)

    def assemble(
        self,
        batches: Batches,
        validation: tf.data.Dataset | Mapping[str, tf.data.Dataset],
        make: Callable[[], Trainable],
        *,
        shard_validation: bool = True,
        average_last_n: int = 0,
        better_by: str | None = None,
        end_seconds: float = END_SECONDS,
    ) -> Training:
        """The training of what `make` returns, from wherever its latest checkpoint stands.

        Args:
            batches: training data.
            validation: all batches to validate on; or several parts of them, by name, each of which
                has figures of its own besides.
            make: is called where variables are made for every replica.
            shard_validation: see `TrainStep`.
            average_last_n: last epochs whose weights are kept, for `load_average`.
            better_by: the figure of the validation by which the best epoch is chosen, the higher
                the better; None: the lowest loss.
            end_seconds: what the command takes after training, about.
        """
        seconds = 60 * self._minutes
        if seconds < math.inf:
            seconds = max(seconds - end_seconds, LEAST_SHARE * seconds)
        with self._workers.together():
            parts = validation if isinstance(validation, Mapping) else {"": validation}
            in_order = {name: self._workers.distribute(part) for name, part in parts.items()}
            with self._strategy.scope():
                if seconds < math.inf and self.settings.flat()["schedule"] == "cosine":
                    self.fraction = tf.Variable(0.0, trainable=False)
                model, optimizer, objective = make()
                optimizer.build(model.trainable_variables)
            step = TrainStep(
                model,
                optimizer,
                objective,
                self._strategy,
                next(iter(in_order.values())).element_spec,
                num_shards=self._num_shards,
                shard_validation=shard_validation,
            )
            loop = TrainingLoop(
                self.run,
                step,
                batches,
                in_order,
                self._workers,
                average_last_n=average_last_n,
                seconds=seconds,
                fraction=self.fraction,
                report=self.report,
            )
        metric = None
        if better_by:  # of means, those computed last are of the validation
            metric = Metric(better_by, lambda: loop.step.metrics.means()[better_by])
        return Training(self.run, self.settings, batches, loop, metric, self._minutes)
