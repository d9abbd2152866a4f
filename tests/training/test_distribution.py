"""Two replicas, and two workers, train as one does: in processes of their own.

As in the commands, `device_scope` makes the strategy: nothing was computed before.
"""

import json
import os
import socket
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from tf_models.training.run_directory import History

ROOT = Path(__file__).parents[2]
TRAIN = """
import sys
from pathlib import Path

import numpy as np
import tensorflow as tf

from tf_models.training import devices
from tf_models.training.optimizers import TimedCosine
from tf_models.loss_sums import replica_noise

if sys.argv[1] == "replicas":
    cpu = tf.config.list_physical_devices("CPU")[0]
    halves = [tf.config.LogicalDeviceConfiguration()] * 2
    tf.config.set_logical_device_configuration(cpu, halves)
    strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
    devices.make_strategy = lambda: strategy
    with strategy.scope():
        timed = tf.keras.optimizers.Adam(TimedCosine(0.1, 3))

from tests.support.small_training import small_training

training = small_training(Path(sys.argv[2]), noise=0.0)
training.fit()
if sys.argv[1] == "replicas":
    small_training(Path(sys.argv[2]) / "timed", minutes=0.05, adam=timed).fit()

    def draw():
        with replica_noise(training.model):
            generator = training.model.dropout.seed_generator
            return tf.random.stateless_uniform((3,), generator.next())

    draws = strategy.experimental_local_results(tf.function(lambda: strategy.run(draw))())
    state = training.model.dropout.seed_generator.state.value
    states = strategy.experimental_local_results(state)
    np.savez(Path(sys.argv[2]) / "noise.npz", draws=np.stack(draws), states=np.stack(states))
"""


def start(kind, run_dir, **environment):
    command = [sys.executable, "-c", TRAIN, kind, run_dir]
    return subprocess.Popen(
        command,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )


def check_all_end(*processes):
    for process in processes:
        output, _ = process.communicate(timeout=600)
        assert process.returncode == 0, output


def curve(run_dir):
    columns = History.read(run_dir / "history.csv").columns()
    return np.array([columns["loss"], columns["val_loss"]])


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    run_dir = tmp_path_factory.mktemp("runs") / "alone"
    check_all_end(start("one", run_dir))
    return run_dir


@pytest.mark.processes
def test_two_replicas_train_as_one_does(alone, tmp_path):
    check_all_end(start("replicas", tmp_path / "two"))

    np.testing.assert_allclose(curve(tmp_path / "two"), curve(alone), rtol=1e-4)
    with np.load(tmp_path / "two" / "noise.npz") as noise:
        (first, second), (state, other) = noise["draws"], noise["states"]
    assert not np.intersect1d(first, second).size  # noise of their own
    np.testing.assert_array_equal(state, other)  # from states that stay alike


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


@pytest.mark.processes
@pytest.mark.parametrize("tasks", [[("worker", 0), ("worker", 1)], [("chief", 0), ("worker", 0)]])
def test_two_workers_train_as_one_does(alone, tmp_path, tasks):
    cluster = defaultdict(list)
    for kind, _ in tasks:
        cluster[kind].append(f"127.0.0.1:{free_port()}")
    workers = [
        start(
            "workers",
            tmp_path / "two",
            TF_CONFIG=json.dumps({"cluster": cluster, "task": {"type": kind, "index": index}}),
        )
        for kind, index in tasks
    ]
    check_all_end(*workers)

    np.testing.assert_allclose(curve(tmp_path / "two"), curve(alone), rtol=1e-4)
