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


OF_TRAININGS = """
import sys, tempfile
from pathlib import Path
from tf_models import runtime

runtime._set_up = lambda **cores: print("before:", not context.context()._initialized)
from tensorflow.python.eager import context
from tf_models.autoencoding import settings as of_images, train as images
from tf_models.data.images import load_images
from tf_models.training.run_directory import RunDirectory
from tf_models.translation import settings as of_text, train as text

folder = Path(tempfile.mkdtemp())
if sys.argv[1] == "text":
    run, settings = RunDirectory(folder), of_text.preset("toy")
    text.train(run, ["toy"], settings, max_pairs=500, fit=False, report=lambda line: None)
else:
    settings = of_images.preset("vae").changed(epochs=1)
    digits = load_images("digits")
    images.train(folder, digits, settings, 0, evaluates=False, report=lambda line: None)
"""


def output_of(program: str, *arguments: str) -> str:
    environment = {**os.environ}
    environment.pop("ONEDNN_PRIMITIVE_CACHE_CAPACITY", None)  # another test's
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout


def test_as_many_cores_for_each_shard():
    assert [int(word) for word in output_of(PROGRAM).split()] == [CACHED_PRODUCTS, 2, 4]


@pytest.mark.parametrize("data", ["text", "images"])
def test_trainings_set_up_threads_before_their_first_tensor(data):
    """Later they would be ignored, and a step take up to twice as long."""
    assert "before: True" in output_of(OF_TRAININGS, data)
