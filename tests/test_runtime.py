"""In processes apart: TensorFlow is set up before it runs anything."""

import os
import subprocess
import sys

import pytest

SHOW_THREADS = """
import os
import sys
from tf_models import runtime
from tf_models.command_line import quiet_tensorflow

with quiet_tensorflow():
    import tensorflow as tf

if sys.argv[1] == "late":
    tf.zeros(())
runtime.available_cores = lambda: 4
runtime.use_cores_for_training(2)
threading = tf.config.threading
print(threading.get_intra_op_parallelism_threads(), threading.get_inter_op_parallelism_threads())
print(os.environ["TF_FORCE_GPU_ALLOW_GROWTH"])
"""

READ_FROM_TFDS = """
import types
import tensorflow as tf
from tf_models.data.tfds import read_examples

builder = types.SimpleNamespace(as_dataset=lambda split: tf.data.Dataset.range(3))
assert list(read_examples(builder, "train")) == [0, 1, 2]
threading = tf.config.threading
print(threading.get_intra_op_parallelism_threads(), threading.get_inter_op_parallelism_threads())
"""

SHAPES = 1200  # more than the 1024 that oneDNN keeps by itself

MULTIPLY_TWICE = f"""
import tensorflow as tf
from tf_models.runtime import use_cores_for_inference

use_cores_for_inference()
multiply = tf.function(tf.matmul, reduce_retracing=True)
for _ in range(2):
    for rows in range(1, 1 + {SHAPES}):
        multiply(tf.ones((rows, 8), tf.bfloat16), tf.ones((8, 8), tf.bfloat16))
"""


@pytest.mark.processes
@pytest.mark.parametrize("when", ["early", "late"])
def test_as_many_cores_for_each_shard(when):
    command = [sys.executable, "-c", SHOW_THREADS, when]
    environment = {**os.environ}
    environment.pop("TF_FORCE_GPU_ALLOW_GROWTH", None)  # the tests' own
    out = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    within, between, shares_gpu = out.stdout.split()

    assert (int(within), int(between)) == ((2, 4) if when == "early" else (0, 0))
    assert shares_gpu == "true"


@pytest.mark.processes
def test_a_training_on_a_tfds_data_set_has_its_threads():
    """To read it starts TensorFlow; with TensorFlow's own threads shards disturb each other."""
    command = [sys.executable, "-c", READ_FROM_TFDS]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert out.split() == ["1", str(len(os.sched_getaffinity(0)))]


@pytest.mark.processes
def test_each_product_is_compiled_once():
    command = [sys.executable, "-c", MULTIPLY_TWICE]
    environment = {**os.environ, "ONEDNN_VERBOSE": "2"}
    environment.pop("ONEDNN_PRIMITIVE_CACHE_CAPACITY", None)  # another test's
    out = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    lines = [line for line in out.stdout.splitlines() if "create:cache_miss" in line]
    compiled = [line.rpartition(",")[0] for line in lines]  # without the time that it took
    if len(set(compiled)) < SHAPES:
        pytest.skip("on this processor oneDNN does not compile products of 16-bit floats")

    assert len(compiled) == len(set(compiled))
