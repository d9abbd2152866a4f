"""Time training beside the tutorial's code and PyTorch, eager and compiled."""

import argparse
import itertools
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from research.benchmarks.systems import System, add_options, measure_in_turn, report, set_up_pytorch
from research.command import add_settings, new_parser, run
from tf_models.cli.command_line import quiet_tensorflow
from tf_models.data.corpora import Corpus, load_corpus
from tf_models.translation.settings import TranslatorSettings, preset

SYSTEMS = (
    *("tutorial", "tf-models-float32", "tf-models-bfloat16", "pytorch-float32"),
    *("pytorch-bfloat16", "pytorch-compiled-float32"),
)
EVERYDAY_PAIRS = 20_000
WARM_UP_STEPS = 2  # before each round: threads wake up, caches fill
COMPILED_STEPS = 8  # whose shapes are compiled for before time counts
MINIMUM_SHARD_TOKENS = 256  # where PyTorch splits a batch


@dataclass(frozen=True)
class Task:
    """The pairs and sizes that all systems train with; `folder` takes run directories."""

    corpus: Corpus
    settings: TranslatorSettings
    folder: Path


class TrainingSystem:
    """A train step and its batches; a subclass makes both."""

    def start(self, step: Callable, batches: Iterable) -> None:
        """Take the first step.

        Args:
            step: takes a batch (source ids, target ids).
            batches: of arrays (batch, len) each; taken again and again.
        """
        self._step = step
        self._batches = itertools.chain.from_iterable(itertools.repeat(batches))
        self._step(*next(self._batches))

    def wait(self) -> None:
        """Return when all steps are done: a GPU goes on when a step returns."""
        import tensorflow as tf

        tf.test.experimental.sync_devices()

    def round(self, seconds: float) -> dict[str, float]:
        """Train for about so many seconds, after a few steps that do not count."""
        for batch in itertools.islice(self._batches, WARM_UP_STEPS):
            self._step(*batch)
        self.wait()
        targets: list[np.ndarray] = []
        elapsed, started = 0.0, time.perf_counter()
        while not targets or elapsed < seconds:
            batch = next(self._batches)
            self._step(*batch)
            targets.append(batch[1])
            elapsed = time.perf_counter() - started
        self.wait()
        elapsed = time.perf_counter() - started
        # Real target tokens that are predicted: the end token counts, start and padding do not.
        tokens = sum(np.count_nonzero(np.asarray(target)[:, 1:]) for target in targets)
        return {"target tokens/s": tokens / elapsed, "ms a step": 1000 * elapsed / len(targets)}


class Tutorial(TrainingSystem):
    """The tutorial's training: all batches padded alike, logits at every position, float32."""

    def __init__(self, task: Task):
        with quiet_tensorflow():
            import keras

            from research.benchmarks.tutorial import make_train_step
            from tf_models.data.batches import BucketedBatches, encode_pairs
            from tf_models.translation.model import build_transformer
            from tf_models.translation.train import make_tokenizers
        keras.utils.set_random_seed(0)
        settings, lengths = task.settings, (41, 42)  # the article's
        tokenizers = make_tokenizers(
            task.folder / "tokenizer", task.corpus, settings.tokenizer, None
        )
        encoded = encode_pairs(task.corpus.train, tokenizers, lengths)
        batches = BucketedBatches(encoded, settings.batching.batch_size, 0, padded_lengths=lengths)
        network = build_transformer(settings.model, tokenizers, "float32").network
        self.start(make_train_step(network, settings.model.d_model), batches.epoch(0))


class TfModels(TrainingSystem):
    """This project's own training, from an empty run directory; `precision` as PyTorch has it."""

    def __init__(self, task: Task, precision: str):
        with quiet_tensorflow():
            from tf_models.translation.train import train_translator
        policy = "float32" if precision == "float32" else f"mixed_{precision}"
        settings = task.settings.changed(precision=policy)
        self._training = train_translator(
            task.folder / precision, task.corpus, settings, fit=False, report=lambda line: None
        )
        self.start(self._compiled_step(), self._training.batches.epoch(0))

    def _compiled_step(self) -> Callable:
        import tensorflow as tf

        ids = tf.TensorSpec((None, None), tf.int32)
        model = self._training.model
        return tf.function(
            lambda inp, tar: model.train_step((inp, tar)),
            input_signature=[ids, ids],
            autograph=False,
        )

    def pytorch_data(self) -> tuple[list[tuple[np.ndarray, np.ndarray]], int, int]:
        """The batches of an epoch, and the vocabulary sizes, for a system without TensorFlow."""
        batches = [(inp.numpy(), tar.numpy()) for inp, tar in self._training.batches.epoch(0)]
        network = self._training.model
        tables = network.encoder.embedding, network.decoder.embedding
        source, target = (table.input_dim for table in tables)
        return batches, source, target


class PyTorch(TrainingSystem):
    """PyTorch on ready-made tensors of this project's batches.

    Args:
        settings: sizes of the model.
        data: see `TfModels.pytorch_data`.
        precision: "float32" or "bfloat16" (autocast).
        threads: for PyTorch's operations.
        compiled: whether TorchInductor compiles the model, for any batch size and length.
    """

    def __init__(
        self,
        settings: TranslatorSettings,
        data: tuple,
        precision: str,
        threads: int,
        compiled: bool,
    ):
        import torch

        from research.benchmarks import pytorch_transformer

        set_up_pytorch(threads)
        self._on_gpu = torch.cuda.is_available()
        device = torch.device("cuda" if self._on_gpu else "cpu")
        batches, *vocabularies = data
        shards = 1
        if not self._on_gpu:
            pytorch_transformer.set_up_process()
            tokens = np.mean([np.count_nonzero(tar[:, 1:]) for _, tar in batches])
            shards = max(1, min(threads, int(tokens) // MINIMUM_SHARD_TOKENS))
        model = pytorch_transformer.make_model(settings, *vocabularies).to(device)
        if compiled:
            model.compile(dynamic=True)
        step = pytorch_transformer.TrainStep(
            model,
            settings,
            bfloat16=precision == "bfloat16",
            shards=shards,
            shard_threads=threads // shards,
        )
        tensors = [
            tuple(torch.from_numpy(ids).long().to(device) for ids in batch) for batch in batches
        ]
        for batch in tensors[: COMPILED_STEPS * compiled]:
            step.compile(*batch)
        self.start(step, tensors)

    def wait(self) -> None:
        if self._on_gpu:
            import torch

            torch.cuda.synchronize()


def make_parser() -> argparse.ArgumentParser:
    parser = new_parser("research.benchmarks.training", __doc__)
    parser.add_argument("--corpus", default="everyday", help="default: everyday")
    parser.add_argument("--data-dir", type=Path, help="folder of downloads")
    parser.add_argument("--max-pairs", type=int, default=EVERYDAY_PAIRS, metavar="N")
    parser.add_argument("--seconds", type=float, default=8.0, help="of a round; default: 8")
    add_settings(parser, "batch_tokens=4096 d_model=256, in place of the article's")
    add_options(parser, SYSTEMS)
    return parser


def main(arguments: argparse.Namespace) -> None:
    corpus = load_corpus(
        arguments.corpus, data_dir=arguments.data_dir, max_pairs=arguments.max_pairs
    )
    threads = arguments.threads
    # Like lengths together, but for the tutorial, which pads all batches alike.
    settings = preset("article").changed(**{"padded": False, **dict(arguments.set)})
    with tempfile.TemporaryDirectory() as folder:
        task = Task(corpus, settings, Path(folder))
        data = None
        if any(name.startswith("pytorch") for name in arguments.systems):
            with System(TfModels, task, "float32", threads=threads) as ours:
                data = ours.ask("pytorch_data")
        systems = {name: _system(name, task, data, threads) for name in arguments.systems}
        results = measure_in_turn(systems, arguments.rounds, threads, arguments.seconds)
    report(f"training on {len(corpus.train):,} pairs of {corpus.name}", results, threads)


def _system(name: str, task: Task, data: tuple | None, threads: int) -> tuple:
    """The class of a system, and its arguments."""
    if name == "tutorial":
        return Tutorial, task
    precision = name.rpartition("-")[2]
    if name.startswith("pytorch"):
        return PyTorch, task.settings, data, precision, threads, "compiled" in name
    return TfModels, task, precision


if __name__ == "__main__":
    run(make_parser(), main)
