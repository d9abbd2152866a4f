"""Public models on two replicas, in a process of its own: two devices are made before all else.

It prints a JSON of what went wrong, by model; and of each optimizer, how far the weights after
three clipped steps are from those of one replica.
"""

import json
import tempfile
import traceback

import keras
import numpy as np
import tensorflow as tf

halves = [tf.config.LogicalDeviceConfiguration()] * 2
tf.config.set_logical_device_configuration(tf.config.list_physical_devices("CPU")[0], halves)

from tests.support import language  # noqa: E402
from tests.support.public_models import CASES  # noqa: E402
from tests.support.small_training import SmallModel  # noqa: E402
from tests.support.tiny import TINY  # noqa: E402
from tf_models.training import devices  # noqa: E402
from tf_models.training.optimizers import FusedAdam  # noqa: E402
from tf_models.translation.train import train_translator  # noqa: E402

TWO = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
OPTIMIZERS = {
    "FusedAdam": lambda: FusedAdam(0.05, global_clipnorm=0.1),
    "Adam": lambda: keras.optimizers.Adam(0.05, clipnorm=0.1),
    "Muon": lambda: keras.optimizers.Muon(0.05, global_clipnorm=0.1),
    "LossScaleOptimizer": lambda: keras.optimizers.LossScaleOptimizer(
        FusedAdam(0.05, global_clipnorm=0.1), initial_scale=256
    ),
}


def fitted(optimizer, strategy) -> np.ndarray:
    """Weights after three steps."""
    keras.utils.set_random_seed(0)
    with strategy.scope():
        model = SmallModel(units=4, noise=0.0)
        model.compile(optimizer())
    x = np.random.default_rng(0).normal(size=(8, 2)).astype(np.float32)
    model.fit(x, 9 * x[:, :1] ** 3, batch_size=8, epochs=3, verbose=0)
    return np.concatenate([np.ravel(weight) for weight in model.get_weights()])


def failure(name: str) -> str | None:
    """What went wrong in `fit`, and in a call after it."""
    case = CASES[name]
    try:
        with TWO.scope():
            model = case.make()
            model.compile("sgd")
        before = model.get_weights()
        history = model.fit(*case.data(), batch_size=4, verbose=0).history
        outputs = model(case.inputs)
    except Exception:
        return traceback.format_exc()
    moved = any(np.any(a != b) for a, b in zip(before, model.get_weights(), strict=True))
    fine = moved and np.isfinite(history["loss"]).all() and len(tf.nest.flatten(outputs)[0]) == 4
    return None if fine else "it did not learn"


def trained_with_patience() -> bool:
    """True if BLEU is measured after each epoch of a translator on two replicas."""
    devices.make_strategy = lambda: TWO
    with tempfile.TemporaryDirectory() as folder:
        settings = TINY.changed(epochs=1, patience=1)
        loop = train_translator(
            f"{folder}/run", language.corpus(), settings, report=lambda line: None
        )
    return loop.history.rows[0]["val_bleu"] >= 0


if __name__ == "__main__":
    one = tf.distribute.get_strategy()
    distances = {
        name: float(np.abs(fitted(make, TWO) - fitted(make, one)).max())
        for name, make in OPTIMIZERS.items()
    }
    failures = {name: failure(name) for name in CASES}
    measures = trained_with_patience()
    print(json.dumps({"failures": failures, "distances": distances, "measures": measures}))
