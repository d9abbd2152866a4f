"""A training of a few weights through the real step, loop, checkpoints and run directory."""

import keras
import numpy as np
import tensorflow as tf

from tf_models.base import SummedLossModel
from tf_models.loss_sums import LossSums
from tf_models.training.devices import device_scope
from tf_models.training.loop import TrainingLoop
from tf_models.training.run_directory import RunDirectory
from tf_models.training.settings import OptimizerSettings, RunSettings, Settings

BATCHES = 4  # in an epoch
SETTINGS = RunSettings(model=Settings(), optimizer=OptimizerSettings(schedule="constant"))


class SmallModel(SummedLossModel):
    """Regression with dropout, so that weights, moments and random states all count."""

    def __init__(self, num_shards=1, units=3, noise=0.5):
        super().__init__(("loss",))
        self.num_shards = num_shards
        self.hidden, self.out = keras.layers.Dense(units), keras.layers.Dense(1)
        self.dropout = keras.layers.Dropout(0.5)
        self.dropout.rate = noise  # with 0 from the start it would have no generator
        self.hidden.build((None, 2))
        self.out.build((None, units))
        self.built = True

    def call(self, x, training=False):
        return self.out(self.dropout(self.hidden(x), training=training))

    def loss_sums(self, x, y, training):
        loss = tf.reduce_sum((self(x, training=training) - y) ** 2)
        return LossSums(loss, {"loss": loss})


class SmallBatches:
    """Other numbers in each epoch."""

    def __len__(self):
        return BATCHES

    def batches_from(self, epoch, batch, end):
        def numbers(epoch):
            x = tf.random.stateless_normal((BATCHES, 6, 2), tf.stack([epoch, 7]))
            return tf.data.Dataset.from_tensor_slices((x, x[..., :1] + 1))

        return tf.data.Dataset.range(epoch, end).flat_map(numbers).skip(batch)


def small_training(
    path, *, num_shards=1, noise=0.5, seed=1, adam=None, settings=SETTINGS, **options
):
    """A `TrainingLoop` in the run directory `path`."""
    run = RunDirectory(path)
    run.prepare("numbers", settings, {"numbers": "small"}, seed)
    with device_scope(seed, 1, 1):
        model = SmallModel(num_shards, noise=noise)
        model.compile(adam or keras.optimizers.Adam(0.05))
    validation = tf.data.Dataset.from_tensors((tf.ones((2, 2)), tf.ones((2, 1))))
    options = {"epochs": 3, "report": lambda line: None, **options}
    return TrainingLoop(run, model, SmallBatches(), validation, **options)


def state(training):
    """Weights, random states and the optimizer's variables."""
    variables = (*training.model.variables, *training.model.optimizer.variables)
    return [np.array(variable) for variable in variables]
