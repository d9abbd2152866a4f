"""In a process of its own: TensorFlow is set up before it computes anything."""

import os
import subprocess
import sys

import pytest

from tf_models.runtime import CACHED_PRODUCTS

pytestmark = pytest.mark.processes
PROGRAM = """
import os
import tensorflow as tf
from tf_models import runtime

runtime.available_cores = lambda: 4
runtime.use_cores_for_training(2)
threading = tf.config.threading
print(os.environ["ONEDNN_PRIMITIVE_CACHE_CAPACITY"])
print(threading.get_intra_op_parallelism_threads(), threading.get_inter_op_parallelism_threads())
"""


def test_as_many_cores_for_each_shard():
    environment = {**os.environ}
    environment.pop("ONEDNN_PRIMITIVE_CACHE_CAPACITY", None)  # another test's
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert [int(word) for word in done.stdout.split()] == [CACHED_PRODUCTS, 2, 4]
