"""Who takes part in the training benchmark; each function makes one rival in its own process.

Only with a call does a rival import its libraries.
"""

import itertools
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.flops import ModelSizes, training_flop
from benchmarks.timing import timed
from tf_models.command_line import quiet_tensorflow
from tf_models.data.text.corpora import Corpus
from tf_models.tasks.translation.settings import TranslatorSettings

SEED = 0
WARM_STEPS = 2  # before each round: threads wake up, caches fill
TOKENS_IN_A_PART = 256  # at least, where PyTorch splits a batch
KERAS_POLICIES = {"float32": "float32", "bfloat16": "mixed_bfloat16"}


@dataclass(frozen=True)
class TrainingTask:
    """What all rivals train: the same pairs, the same sizes.

    folder: where run directories may be made.
    """

    corpus: Corpus
    settings: TranslatorSettings
    folder: Path


@dataclass(frozen=True)
class TrainingBatches:
    """The project's batches for a rival without TensorFlow.

    batches: (source ids, target ids), each (batch, len) int32, from start to end token.
    """

    batches: list[tuple[np.ndarray, np.ndarray]]
    input_vocab_size: int
    target_vocab_size: int

    def target_tokens(self) -> int:
        """Mean number of target tokens in a batch."""
        return int(np.mean([np.count_nonzero(tar[:, 1:]) for _, tar in self.batches]))


@dataclass(frozen=True)
class TrainingRound:
    """What one round of training got done.

    tokens: real target tokens that were predicted: the end token counts, start and padding do not.
    flop: of the model on these tokens (see `training_flop`).
    """

    seconds: float
    steps: int
    tokens: int
    flop: float


class TrainingRival:
    """A training step and its batches, which are taken again and again.

    Args:
        step: takes a batch (source ids, target ids) and returns when it is done.
        batches: any arrays that NumPy can read, (batch, len) each.
        sizes: of the model.
        seconds: of the start-up by what took them; the first step's are added.
    """

    def __init__(
        self, step: Callable, batches: Iterable, sizes: ModelSizes, seconds: dict[str, float]
    ):
        self._step, self._sizes = step, sizes
        self._batches = itertools.chain.from_iterable(itertools.repeat(batches))
        first_step = self.round(seconds=0.0, warm_steps=0).seconds
        self._start_up = {**seconds, "first step": first_step}

    def start_up(self) -> dict[str, float]:
        """Seconds until the end of the first step, by what took them."""
        return self._start_up

    def round(self, seconds: float, warm_steps: int = WARM_STEPS) -> TrainingRound:
        """Train for about so many seconds, one step at least, after a few that do not count."""
        for batch in itertools.islice(self._batches, warm_steps):
            self._step(*batch)
        done = []
        started = time.perf_counter()
        elapsed = 0.0
        while not done or elapsed < seconds:
            done.append(next(self._batches))
            self._step(*done[-1])
            elapsed = time.perf_counter() - started
        return self._count(done, elapsed)

    def _count(self, batches: list, seconds: float) -> TrainingRound:
        source, target = (
            np.concatenate([np.count_nonzero(np.asarray(ids), axis=1) for ids in side])
            for side in zip(*batches, strict=True)
        )
        flop = training_flop(self._sizes, source, target - 1)
        return TrainingRound(seconds, len(batches), int((target - 1).sum()), flop)


def tutorial(task: TrainingTask) -> TrainingRival:
    """The tutorial's way: every batch padded alike, logits at every position, float32."""
    seconds: dict[str, float] = {}
    with timed(seconds, "import"), quiet_tensorflow():
        import keras

        from benchmarks.tutorial import make_train_step
        from tf_models.data.text.batches import TranslationBatches, encode_pairs
        from tf_models.tasks.translation.run import make_tokenizers
        from tf_models.tasks.translation.train import build_model
        from tf_models.training.run_directory import RunDirectory
    keras.utils.set_random_seed(SEED)
    settings, run = task.settings, RunDirectory(task.folder / "tutorial")
    lengths = settings.longest_source, settings.longest_target
    with timed(seconds, "prepare"):
        tokenizers = make_tokenizers(run, task.corpus, settings, None)
        encoded = encode_pairs(task.corpus.train, tokenizers, *lengths)
        batches = TranslationBatches(encoded, settings.batch_size, SEED, padded_lengths=lengths)
        step = make_train_step(build_model(settings, tokenizers), settings.d_model)
    sizes = _sizes(settings, tokenizers.target.vocabulary_size)
    return TrainingRival(step, batches.epoch(0), sizes, seconds)


def tf_models(task: TrainingTask, precision: str) -> TrainingRival:
    """This project's own training, from an empty run directory.

    Args:
        task: what to train.
        precision: "float32" or "bfloat16".
    """
    seconds: dict[str, float] = {}
    with timed(seconds, "import"), quiet_tensorflow():
        import tf_models.tasks.translation.train  # noqa: F401
    with timed(seconds, "prepare"):
        training = _prepare(task, precision)
        step, batches = _step_and_batches(training)
    sizes = _sizes(task.settings, training.tokenizers.target.vocabulary_size)
    return TrainingRival(step, batches, sizes, seconds)


def _prepare(task: TrainingTask, precision: str, name: str | None = None):
    from tf_models.tasks.translation.train import prepare_training
    from tf_models.training.run_directory import RunDirectory

    run = RunDirectory(task.folder / (name or f"tf-models-{precision}"))
    settings = task.settings.changed(precision=KERAS_POLICIES[precision])
    return prepare_training(run, task.corpus, settings, SEED, report=lambda line: None)


def _step_and_batches(training) -> tuple[Callable, Iterable]:
    """The train step that `training.loop` calls, and the batches of the first epoch."""
    return training.step.train_step, training.batches.epoch(0)


class Yardstick:
    """What is needed beside the rivals: the peak, and the batches for those without TensorFlow."""

    def __init__(self, task: TrainingTask):
        with quiet_tensorflow():
            from benchmarks.gemm_peak import GemmPeak
        self._task, self._peak = task, GemmPeak()

    def measure(self) -> dict[str, float]:
        """The GEMM peak in FLOP/s, by type."""
        return self._peak.measure()

    def batches(self) -> TrainingBatches:
        """The project's batches of the first epoch."""
        training = _prepare(self._task, "float32", "batches")
        _, batches = _step_and_batches(training)
        return TrainingBatches(
            [(inp.numpy(), tar.numpy()) for inp, tar in batches],
            training.tokenizers.source.vocabulary_size,
            training.tokenizers.target.vocabulary_size,
        )


def pytorch(
    settings: TranslatorSettings, data: TrainingBatches, precision: str, threads: int
) -> TrainingRival:
    """PyTorch on ready-made tensors of the same batches.

    Args:
        settings: sizes of the model.
        data: the batches.
        precision: "float32" or "bfloat16" (autocast).
        threads: for PyTorch's operations.
    """
    seconds: dict[str, float] = {}
    with timed(seconds, "import"):
        import torch

        from benchmarks import pytorch_transformer
    torch.manual_seed(SEED)
    torch.set_num_threads(threads)
    pytorch_transformer.set_up_process()
    vocabularies = data.input_vocab_size, data.target_vocab_size
    with timed(seconds, "prepare"):
        model = pytorch_transformer.make_model(settings, *vocabularies)
        parts = max(1, min(threads, data.target_tokens() // TOKENS_IN_A_PART))
        step = pytorch_transformer.TrainStep(
            model,
            settings,
            bfloat16=precision == "bfloat16",
            parts=parts,
            threads_of_a_part=threads // parts,
        )
        batches = [tuple(torch.from_numpy(ids).long() for ids in batch) for batch in data.batches]
    return TrainingRival(step, batches, _sizes(settings, data.target_vocab_size), seconds)


def _sizes(settings: TranslatorSettings, target_vocab_size: int) -> ModelSizes:
    return ModelSizes(settings.num_layers, settings.d_model, settings.dff, target_vocab_size)
