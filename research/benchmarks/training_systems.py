"""The systems of the training benchmark; each object is one system in its own process."""

import itertools
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from research.benchmarks.flops import RecurrentSizes, Sizes, TransformerSizes, training_flop
from research.benchmarks.systems import SEED, System, pytorch_device, set_up_pytorch
from tf_models.command_line import quiet_tensorflow
from tf_models.data.text.corpora import Corpus
from tf_models.tasks.translation.settings import TranslatorSettings

WARM_UP_STEPS = 2  # before each round: threads wake up, caches fill
COMPILED_STEPS = 8  # whose shapes are compiled for before time counts
MINIMUM_SHARD_TOKENS = 256  # where PyTorch splits a batch
KERAS_POLICIES = {"float32": "float32", "bfloat16": "mixed_bfloat16"}


@dataclass(frozen=True)
class TrainingTask:
    """What all systems train: the same pairs, the same sizes.

    folder: where run directories may be made.
    """

    corpus: Corpus
    settings: TranslatorSettings
    folder: Path


@dataclass(frozen=True)
class TrainingBatches:
    """This project's batches for a system without TensorFlow.

    batches: (source ids, target ids), each (batch, len) int32, from start to end token.
    """

    batches: list[tuple[np.ndarray, np.ndarray]]
    input_vocab_size: int
    target_vocab_size: int

    def target_tokens(self) -> int:
        """Mean number of target tokens in a batch, rounded down."""
        return int(np.mean([np.count_nonzero(tar[:, 1:]) for _, tar in self.batches]))


@dataclass(frozen=True)
class TrainingRound:
    """What was trained in one round.

    tokens: real target tokens that were predicted: the end token counts, start and padding do not.
    flop: floating-point operations of the model on these tokens (see `training_flop`).
    """

    seconds: float
    steps: int
    tokens: int
    flop: float


class TrainingSystem(System):
    """A train step and its batches. A subclass makes both, and calls `start` with them.

    A GPU goes on when a step returns, so time ends when `wait` does.
    """

    def start(self, step: Callable, batches: Iterable, sizes: Sizes) -> None:
        """Take the first step, which is part of the start-up.

        Args:
            step: takes a batch (source ids, target ids).
            batches: any arrays that NumPy can read, (batch, len) each; taken again and again.
            sizes: of the model.
        """
        self._step, self._sizes = step, sizes
        self._batches = itertools.chain.from_iterable(itertools.repeat(batches))
        with self.timed("first step"):
            self._step(*next(self._batches))
            self.wait()

    def wait(self) -> None:
        """Return when all steps are done."""
        import tensorflow as tf

        tf.test.experimental.sync_devices()

    def round(self, seconds: float, warm_up_steps: int = WARM_UP_STEPS) -> TrainingRound:
        """Train for about so many seconds, one step at least, after a few that do not count."""
        for batch in itertools.islice(self._batches, warm_up_steps):
            self._step(*batch)
        self.wait()
        done = []
        started = time.perf_counter()
        elapsed = 0.0
        while not done or elapsed < seconds:
            done.append(next(self._batches))
            self._step(*done[-1])
            elapsed = time.perf_counter() - started
        self.wait()
        return self._count(done, time.perf_counter() - started)

    def _count(self, batches: list, seconds: float) -> TrainingRound:
        source, target = (
            np.concatenate([np.count_nonzero(np.asarray(ids), axis=1) for ids in side])
            for side in zip(*batches, strict=True)
        )  # lengths: (sentences,) each
        flop = training_flop(self._sizes, source, target - 1)
        return TrainingRound(seconds, len(batches), int((target - 1).sum()), flop)


class Tutorial(TrainingSystem):
    """The tutorial's training: all batches padded alike, logits at every position, float32."""

    def __init__(self, task: TrainingTask):
        super().__init__()
        with self.timed("import"), quiet_tensorflow():
            import keras

            from research.benchmarks.tutorial import make_train_step
            from tf_models.data.text.batches import TranslationBatches, encode_pairs
            from tf_models.tasks.translation.run import make_tokenizers
            from tf_models.tasks.translation.transformer_model import build_transformer
            from tf_models.training.run_directory import RunDirectory
        keras.utils.set_random_seed(SEED)
        settings, run = task.settings, RunDirectory(task.folder / "tutorial")
        batching, model = settings.batching, settings.model
        lengths = batching.max_lengths
        with self.timed("prepare"):
            tokenizers = make_tokenizers(run.tokenizers, task.corpus, settings.tokenizer, None)
            encoded = encode_pairs(task.corpus.train, tokenizers, lengths)
            batches = TranslationBatches(encoded, batching.batch_size, SEED, padded_lengths=lengths)
            network = build_transformer(model, tokenizers, "float32").network
            step = make_train_step(network, model.d_model)
        self.start(step, batches.epoch(0), sizes_of(settings, tokenizers.target.vocabulary_size))


class TfModels(TrainingSystem):
    """This project's own training, from an empty run directory.

    Args:
        task: what to train.
        precision: "float32" or "bfloat16".
    """

    def __init__(self, task: TrainingTask, precision: str):
        super().__init__()
        with self.timed("import"), quiet_tensorflow():
            import tf_models.tasks.translation.train  # noqa: F401
        with self.timed("prepare"):
            training = _prepare(task, precision, f"tf-models-{precision}")
            step, batches = training.step.train_step, training.batches.epoch(0)
        self.start(
            step, batches, sizes_of(task.settings, training.tokenizers.target.vocabulary_size)
        )


class PyTorch(TrainingSystem):
    """PyTorch on ready-made tensors of this project's batches.

    Args:
        settings: sizes of the model.
        data: the batches.
        precision: "float32" or "bfloat16" (autocast).
        threads: for PyTorch's operations.
        compiled: whether TorchInductor compiles the model, for any batch size and length.
    """

    def __init__(
        self,
        settings: TranslatorSettings,
        data: TrainingBatches,
        precision: str,
        threads: int,
        compiled: bool = False,
    ):
        super().__init__()
        with self.timed("import"):
            import torch

            from research.benchmarks import pytorch_recurrent, pytorch_transformer
        is_transformer = settings.architecture == "transformer"
        family = pytorch_transformer if is_transformer else pytorch_recurrent
        set_up_pytorch(threads)
        self._device = torch.device(pytorch_device())
        on_gpu = self._device.type == "cuda"
        if not on_gpu:
            pytorch_transformer.set_up_process()
        vocabularies = data.input_vocab_size, data.target_vocab_size
        with self.timed("prepare"):
            shards = max(1, min(threads, data.target_tokens() // MINIMUM_SHARD_TOKENS))
            shards = 1 if on_gpu else shards
            model = family.make_model(settings, *vocabularies).to(self._device)
            if compiled:
                model.compile(dynamic=True)
            step = pytorch_transformer.TrainStep(
                model,
                settings,
                bfloat16=precision == "bfloat16",
                shards=shards,
                shard_threads=threads // shards,
            )
            batches = [
                tuple(torch.from_numpy(ids).long().to(self._device) for ids in batch)
                for batch in data.batches
            ]
        if compiled:
            with self.timed("compile"):
                for batch in batches[:COMPILED_STEPS]:
                    step.compile(*batch)
        self.start(step, batches, sizes_of(settings, data.target_vocab_size))

    def wait(self) -> None:
        if self._device.type == "cuda":
            import torch

            torch.cuda.synchronize()


class Reference:
    """What the systems are measured against or with: the GEMM peak, and this project's batches."""

    def __init__(self, task: TrainingTask):
        with quiet_tensorflow():
            from research.benchmarks.gemm_peak import GemmPeak
        self._task, self._peak = task, GemmPeak()

    def measure(self) -> dict[str, float]:
        """The GEMM peak in FLOP/s, by type."""
        return self._peak.measure()

    def batches(self) -> TrainingBatches:
        """This project's batches of the first epoch, for a system without TensorFlow."""
        training = _prepare(self._task, "float32", "batches")
        return TrainingBatches(
            [(inp.numpy(), tar.numpy()) for inp, tar in training.batches.epoch(0)],
            training.tokenizers.source.vocabulary_size,
            training.tokenizers.target.vocabulary_size,
        )


def _prepare(task: TrainingTask, precision: str, name: str):
    """This project's training in an empty run directory of that name."""
    from tf_models.tasks.translation.train import prepare_training
    from tf_models.training.run_directory import RunDirectory

    settings = task.settings.changed(precision=KERAS_POLICIES[precision])
    run = RunDirectory(task.folder / name)
    return prepare_training(run, task.corpus, settings, SEED, report=lambda line: None)


def sizes_of(settings: TranslatorSettings, target_vocab_size: int) -> Sizes:
    """What the operations of a model with these settings depend on."""
    model = settings.model
    if settings.architecture == "transformer":
        return TransformerSizes(model.num_layers, model.d_model, model.dff, target_vocab_size)
    attends = settings.architecture == "rnn-attention"
    return RecurrentSizes(model.d_model, model.units, attends, target_vocab_size)
