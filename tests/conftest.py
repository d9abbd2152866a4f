"""What several folders of tests share."""

import contextlib
import gc
import os
import signal
import sys
from pathlib import Path

import numpy as np
import pytest

with contextlib.suppress(ImportError):  # PyTorch loads it, and after TensorFlow it would crash
    import triton  # noqa: F401

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_FORCE_GPU_ALLOW_GROWTH", "true")  # all workers share a GPU

# A shell starts jobs in the background with the signal ignored that tests send.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _keep_to_one_core(worker: str) -> None:
    """Threads of two workers on the same cores wait for each other: a third more time for all."""
    if sys.platform == "linux":
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[int(worker.removeprefix("gw")) % len(cores)]})


if "PYTEST_XDIST_WORKER" in os.environ:
    _keep_to_one_core(os.environ["PYTEST_XDIST_WORKER"])  # before TensorFlow counts the cores

import tf_models.backend  # noqa: E402, F401, I001 - TensorFlow starts without its messages
import tensorflow as tf  # noqa: E402 - whatever comes before it has to

from tests.support.eager import eagerly  # noqa: E402
from tests.support.tiny_runs import tiny_inputs, tiny_run  # noqa: E402

# Rewriting the graph takes a fifth of a tiny training. Scripts and workers in processes of their
# own, the notebooks and the benchmarks run rewritten graphs.
tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})

# On a GPU products of float32 have 10 bits of mantissa by default; equal to 1e-5 takes all 23.
tf.config.experimental.enable_tensor_float_32_execution(False)


def pytest_collection_modifyitems(items):
    """The longest test comes first: as one of the last, it would leave the other worker idle."""
    items.sort(key=lambda item: item.path.name != "test_default_run.py")


def pytest_collection_finish():
    """What is imported stays: to look through it again and again takes a 20th of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real corpora and images beside the repository."""
    if not SHARED.is_dir():
        pytest.skip("the real corpora (../shared/data) are not on this machine")
    return SHARED


@pytest.fixture(scope="session")
def corpus():
    """Sentences of the toy language."""
    from tests.support import language

    return language.corpus()


@pytest.fixture(scope="module")
def line_by_line():
    """No function is traced in a module."""
    with eagerly():
        yield


@pytest.fixture
def prepare(corpus, tmp_path):
    """prepare(name="run", **changes): a translator's training in a run directory of that name."""
    from tests.support.tiny import in_folder

    return in_folder(tmp_path, corpus)


@pytest.fixture(scope="module")
def uninterrupted(corpus, tmp_path_factory):
    """A translator's training that has come to its end."""
    from tests.support.tiny import in_folder

    training = in_folder(tmp_path_factory.mktemp("runs"), corpus)("uninterrupted")
    training.fit()
    return training


@pytest.fixture
def attention():
    """attention(*shape, causal=False): rows of random positive weights that sum to one."""

    def make(*shape, causal=False):
        weights = np.random.default_rng(7).random(shape).astype(np.float32) ** 4 + 1e-4
        if causal:
            weights *= np.tril(np.ones(shape[-2:], np.float32))
        return weights / weights.sum(axis=-1, keepdims=True)

    return make
