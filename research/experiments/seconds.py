"""Parallel against sequential: how long a training step takes by the length of its sentences."""

import time
from argparse import Namespace
from collections.abc import Callable, Mapping
from statistics import median
from types import SimpleNamespace

from research.experiments.recipe import Run, Values, chosen
from research.experiments.series import SeriesRecipe
from research.options import Parser, numbers
from tf_models.errors import InputError
from tf_models.tasks.translation.settings import preset

ARCHITECTURES = ("transformer", "rnn-attention", "rnn")
LENGTHS = (10, 20, 40, 80, 160)
VOCABULARY = 8000
REPEATS = 9  # steps that are timed, of which the median counts


class Seconds(SeriesRecipe):
    name = "seconds"
    question = "what does a longer sentence cost, computed in parallel and in sequence?"
    axis_names, scales = ("tokens of a sentence", "ms of a training step"), ("log", "log")
    examples = """\
  python -m research.experiments seconds --output seconds.png
      forward and backward pass of the preset toy's models, untrained; a minute or two
A Transformer computes all positions at once, a recurrent model one after the other."""
    trains = False

    def make_parser(self) -> Parser:
        parser = super().make_parser()
        known = ", ".join(ARCHITECTURES)
        parser.add_argument("--models", nargs="+", metavar="NAME", help=f"only these of {known}")
        parser.add_argument(
            "--lengths",
            type=numbers,
            default=LENGTHS,
            metavar="N,N",
            help="tokens of a sentence; default: 10,20,40,80,160",
        )
        parser.add_argument("--batch-size", type=int, default=32, help="default: 32")
        return parser

    def labels(self, arguments: Namespace) -> list[str]:
        if not arguments.lengths or min(*arguments.lengths, arguments.batch_size) < 1:
            raise InputError("--lengths and --batch-size must be at least 1")
        return chosen("--models", arguments.models, ARCHITECTURES)

    def measurement(self, arguments: Namespace) -> Callable[[Run], Mapping[str, Values]]:
        def measure(run: Run) -> dict[str, Values]:
            step = training_step(run.label, max(arguments.lengths), run.seed)
            lengths = sorted(arguments.lengths)
            times = {n: milliseconds(step, n, arguments.batch_size) for n in lengths}
            return {run.label: {f"{n} tokens": found for n, found in times.items()}}

        return measure


def training_step(name: str, max_length: int, seed: int) -> Callable:
    """Loss and gradients of an untrained model for ids (batch, len) on both sides."""
    import keras
    import tensorflow as tf

    from tf_models.tasks.translation.architectures import build_model

    keras.utils.set_random_seed(seed)
    settings, tokenizer = preset("toy", name), SimpleNamespace(vocabulary_size=VOCABULARY)
    length = max_length + 1
    settings = settings.changed(positions=length, max_lengths=(length, length), batch_tokens=length)
    tokenizers = SimpleNamespace(source=tokenizer, target=tokenizer)
    model = build_model(settings, tokenizers)
    weights = model.network.trainable_variables

    @tf.function
    def step(inp, tar):
        with tf.GradientTape() as tape:
            loss = model.token_sums(inp, tar, training=True, smoothing=0.0).loss
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
