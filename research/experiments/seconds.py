"""Parallel against sequential: the time of a training step by the length of its sentences."""

import time
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from statistics import median
from types import SimpleNamespace
from typing import Any

from research.command import numbers
from research.experiments.recipe import Run, SeriesRecipe, Values
from tf_models.translation.settings import RECURRENT, TRANSFORMER, preset

LENGTHS = (10, 20, 40, 80, 160)
VOCABULARY = 8000
BATCH_SIZE = 32
REPEATS = 9  # steps that are timed, of which the median counts


class Seconds(SeriesRecipe):
    """Forward and backward pass of untrained models; a minute or two.

    A Transformer computes all positions at once, a recurrent model one after the other: n
    sequential operations in place of 1 (Vaswani et al. 2017, table 1). A GPU shows it; on a few
    cores, which compute neither at once, the recurrent model may be the faster one.
    """

    name = "seconds"
    question = "what does a longer sentence cost, computed in parallel and in sequence?"
    axis_names, scales = ("tokens of a sentence", "ms of a training step"), ("log", "log")
    trains = False

    @classmethod
    def add_options(cls, parser: ArgumentParser) -> None:
        help = "tokens of a sentence"
        parser.add_argument("--lengths", type=numbers, default=LENGTHS, metavar="N,N", help=help)

    def labels(self) -> list[str]:
        return [TRANSFORMER, *RECURRENT]

    def measure(self, run: Run) -> Mapping[str, Values]:
        lengths = sorted(self.arguments.lengths)
        step = training_step(run.label, lengths[-1], run.seed)
        times = {n: milliseconds(step, n, BATCH_SIZE) for n in lengths}
        return {run.label: {f"{n} tokens, ms": found for n, found in times.items()}}


def training_step(name: str, max_length: int, seed: int) -> Callable:
    """Loss and gradients of an untrained model for ids (batch, len) on both sides."""
    import keras
    import tensorflow as tf

    from tf_models.translation.model import build_model

    keras.utils.set_random_seed(seed)
    settings = preset("toy", name).changed(positions=max(64, max_length + 1))
    tokenizer = SimpleNamespace(vocabulary_size=VOCABULARY)
    tokenizers: Any = SimpleNamespace(source=tokenizer, target=tokenizer)
    network = build_model(settings, tokenizers).network
    weights = network.trainable_variables

    @tf.function
    def step(inp: tf.Tensor, tar: tf.Tensor) -> list[tf.Tensor]:
        with tf.GradientTape() as tape:
            loss = network.loss_sums(inp, tar, training=True).loss
        return [tf.convert_to_tensor(one) for one in tape.gradient(loss, weights)]

    return step


def milliseconds(step: Callable, length: int, batch_size: int) -> float:
    """The median of some steps with sentences of a length."""
    import tensorflow as tf

    random = tf.random.Generator.from_seed(0)
    inp, tar = (
        random.uniform((batch_size, n), 1, VOCABULARY, tf.int32) for n in (length, length + 1)
    )
    step(inp, tar)  # traced
    times = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        step(inp, tar)[0].numpy()
        times.append(time.perf_counter() - started)
    return 1000 * median(times)
