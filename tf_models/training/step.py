"""Training and test steps of a model, compiled for all devices."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import keras
import tensorflow as tf


def available_cores() -> int:
    """Number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def compile_steps(
    model: keras.Model, strategy: tf.distribute.Strategy, batch_spec: Any
) -> tuple[Callable[[Iterator, tf.Tensor], None], Callable[..., None]]:
    """Compile the model's training and test steps for all devices.

    train_steps(batches, count) takes `count` batches of an iterator; test_step(*batch) evaluates a
    batch of the `element_spec` `batch_spec`.
    """
    # AutoGraph would rewrite all that a step calls, which takes seconds.
    train_step = tf.autograph.experimental.do_not_convert(model.train_step)
    evaluate = tf.autograph.experimental.do_not_convert(model.test_step)

    @tf.function
    def train_steps(batches: Iterator, count: tf.Tensor) -> None:
        for _ in tf.range(count):
            strategy.run(train_step, args=(next(batches),))

    @tf.function(input_signature=batch_spec)
    def test_step(*batch: tf.Tensor) -> None:
        strategy.run(evaluate, args=(batch,))

    return train_steps, test_step
