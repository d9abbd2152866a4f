"""In processes of their own: TensorFlow is set up before it computes anything."""

import os
import subprocess
import sys

import pytest

from tf_models.runtime import CACHED_PRODUCTS, available_cores

pytestmark = pytest.mark.processes
SHOW_THREADS = """
threading = tf.config.threading
print(threading.get_intra_op_parallelism_threads(), threading.get_inter_op_parallelism_threads())
"""
SET_UP = f"""
import os
import sys
import tensorflow as tf
from tf_models import runtime

if sys.argv[1] == "late":
    tf.zeros(())
runtime.available_cores = lambda: 4
runtime.use_cores_for_training(2)
print(os.environ["ONEDNN_PRIMITIVE_CACHE_CAPACITY"])
{SHOW_THREADS}
"""
READ_FROM_TFDS = f"""
import types
import tensorflow as tf
from tf_models.data.tfds import read_examples

builder = types.SimpleNamespace(as_dataset=lambda split: tf.data.Dataset.range(3))
assert list(read_examples(builder, "train")) == [0, 1, 2]
{SHOW_THREADS}
"""


def printed_by(program, *arguments):
    environment = {**os.environ}
    environment.pop("ONEDNN_PRIMITIVE_CACHE_CAPACITY", None)  # another test's
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return [int(word) for word in done.stdout.split()]


@pytest.mark.parametrize(("when", "threads"), [("early", [2, 4]), ("late", [0, 0])])
def test_as_many_cores_for_each_shard(when, threads):
    assert printed_by(SET_UP, when) == [CACHED_PRODUCTS, *threads]


def test_a_training_on_a_tfds_data_set_has_its_threads():
    """To read it starts TensorFlow, whose own threads would disturb each other's shards."""
    assert printed_by(READ_FROM_TFDS) == [1, available_cores()]
