"""A training of two numbers, through the real loop, checkpoints and run directory, in no time."""

from types import SimpleNamespace

import keras
import tensorflow as tf

from tf_models.training.distributed.workers import Workers
from tf_models.training.loop import TrainingLoop
from tf_models.training.run_directory import RunDirectory
from tf_models.training.train_step import RunningMetrics

BATCHES = 3  # in an epoch
CONFIG = {"kind": "numbers", "model": {"num_heads": 2}, "training": {"epochs": 9}, "seed": 0}


class SmallStep:
    """A step of the loop's protocol: w moves halfway to each number of the batches."""

    def __init__(self):
        self.w = keras.Variable([4.0, -4.0], name="w")
        self.model = SimpleNamespace(variables=[self.w], compute_dtype="float32")
        iterations = keras.Variable(0, dtype="int64", trainable=False, name="iterations")
        self.optimizer = SimpleNamespace(
            variables=[iterations],
            iterations=iterations.value,
            learning_rate=0.5,
            global_clipnorm=None,
        )
        self.metrics = RunningMetrics(("loss",), "numbers")
        self.outputs = None
        self.validation_losses = None  # an iterator, to say how good each epoch is

    def train_steps(self, batches, count):
        for _ in range(count):
            self.w.assign(0.5 * (self.w + next(batches)))
            self.optimizer.iterations.assign_add(1)
            self._report(tf.reduce_sum(self.w**2))

    def validation_step(self, number):
        loss = next(self.validation_losses) if self.validation_losses else self.w[0]
        self._report(tf.cast(loss, tf.float32) + 0 * number)

    def _report(self, loss):
        self.metrics.add({"loss": loss}, tf.constant(1.0))


class SmallBatches:
    """Three numbers; others in each epoch."""

    def __len__(self):
        return BATCHES

    def batches_from(self, epoch, batch, end):
        numbers = [float((7 * e + i) % 5) for e in range(epoch, end) for i in range(BATCHES)]
        return tf.data.Dataset.from_tensor_slices(numbers).skip(batch)


def small_training(path, *, average_last_n=2, config=CONFIG, report=lambda line: None):
    """A prepared training in the run directory `path`: its run, step and loop."""
    run = RunDirectory(path)
    run.prepare(config, ["training.epochs"])
    step = SmallStep()
    options = {"average_last_n": average_last_n, "report": report}
    validation = {"": [(tf.constant(0.0),)]}
    workers = Workers(tf.distribute.get_strategy())
    loop = TrainingLoop(run, step, SmallBatches(), validation, workers, **options)
    return SimpleNamespace(run=run, step=step, loop=loop)
