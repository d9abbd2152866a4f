"""The systems whose cost is measured by length and batch: random ids, of exactly so many tokens.

All have the article's model with vectors for `POSITIONS` positions, untrained: what a token costs
does not depend on what the weights say.
"""

import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np

from research.benchmarks.systems import SEED, System, set_up_pytorch
from research.benchmarks.timing import seconds_of
from research.benchmarks.training_systems import MINIMUM_SHARD_TOKENS, TfModels, TrainingTask
from tf_models.command_line import quiet_tensorflow
from tf_models.ids import PADDING_ID
from tf_models.tasks.translation.presets import preset
from tf_models.tasks.translation.settings import TranslatorSettings

TRAINING, DECODING = "training", "decoding"
POSITIONS = 512
LEAST_SECONDS = 0.5  # for each length and batch
LEAST_REPEATS = 3
FIRST_PIECE = 2  # ids below are padding and unknown
VOCABULARY = 10_002  # of the article's settings, and of the package's translator
PAIRS = 20_000  # that have so many pieces


def article() -> TranslatorSettings:
    """The settings of the model."""
    return preset("article").changed(positions=POSITIONS, padded=False)


def random_ids(sentences: int, tokens: int) -> np.ndarray:
    """Ids of pieces, (sentences, tokens), int32."""
    rng = np.random.default_rng(SEED)
    return rng.integers(FIRST_PIECE, VOCABULARY - 2, (sentences, tokens), dtype=np.int32)


def training_batch(sentences: int, tokens: int) -> tuple[np.ndarray, np.ndarray]:
    """Ids of both sides; the target has one more, for it is read but for its last one."""
    return random_ids(sentences, tokens), random_ids(sentences, tokens + 1)


class Cost(System):
    """A subclass has `prepared(sentences, tokens)`: a call that does the work once."""

    def prepared(self, sentences: int, tokens: int) -> Callable[[], object]:
        """The work on so many sentences of so many tokens on each side."""
        raise NotImplementedError

    def seconds(self, sentences: int, tokens: int) -> float:
        """Median seconds of the work."""
        call = self.prepared(sentences, tokens)
        call()  # compiles, fills caches
        until, taken = time.perf_counter() + LEAST_SECONDS, []
        while len(taken) < LEAST_REPEATS or time.perf_counter() < until:
            taken.append(seconds_of(call))
        return median(taken)


class TfModelsTraining(Cost, TfModels):
    """This project's train step; the corpus only gives the vocabulary."""

    def __init__(self, folder: Path):
        with quiet_tensorflow():
            from tf_models.data.text.corpora import load_corpus
        corpus = load_corpus("everyday", max_pairs=PAIRS)
        super().__init__(TrainingTask(corpus, article(), folder), "float32")
        assert self._sizes.target_vocab_size == VOCABULARY

    def prepared(self, sentences: int, tokens: int) -> Callable[[], object]:
        import tensorflow as tf

        batch = [tf.constant(ids) for ids in training_batch(sentences, tokens)]

        def step() -> None:
            self._step(*batch)
            self.wait()

        return step


class PyTorchTraining(Cost):
    """A train step of PyTorch, eager."""

    def __init__(self, threads: int):
        super().__init__()
        from research.benchmarks import pytorch_transformer

        set_up_pytorch(threads)
        pytorch_transformer.set_up_process()
        self._model = pytorch_transformer.make_model(article(), VOCABULARY, VOCABULARY)
        self._threads = threads

    def prepared(self, sentences: int, tokens: int) -> Callable[[], object]:
        import torch

        from research.benchmarks.pytorch_transformer import TrainStep

        shards = max(1, min(self._threads, sentences, sentences * tokens // MINIMUM_SHARD_TOKENS))
        options = {"shards": shards, "shard_threads": self._threads // shards}
        step = TrainStep(self._model, article(), bfloat16=False, **options)
        batch = [torch.from_numpy(ids).long() for ids in training_batch(sentences, tokens)]
        return lambda: step(*batch).item()


class TfModelsDecoding(Cost):
    """Greedy search here, which never ends early."""

    def __init__(self):
        super().__init__()
        with quiet_tensorflow():
            from tf_models.runtime import use_cores_for_inference
        use_cores_for_inference()
        self._translator = untrained_translator()

    def prepared(self, sentences: int, tokens: int) -> Callable[[], object]:
        import tensorflow as tf

        from tf_models.search.search import BeamSearch

        model, target = self._translator.model, self._translator.tokenizers.target
        never = (PADDING_ID, target.start_id, target.end_id)
        ends = {"start_id": target.start_id, "end_id": target.end_id, "max_length": tokens}
        greedy = BeamSearch(model.step(never), **ends)

        def search(inp: tf.Tensor):
            memory = model.encode(inp)
            return greedy(memory, model.initial_state(memory, 1))

        compiled = tf.function(search)
        inp = tf.constant(random_ids(sentences, tokens))
        return lambda: compiled(inp).ids.numpy()


class CTranslate2Decoding(Cost):
    """Greedy search in CTranslate2: all threads for a batch, or one for each part of it, whichever
    is faster for these sentences.
    """

    def __init__(self, folder: Path, threads: int):
        super().__init__()
        import ctranslate2
        from sentencepiece import SentencePieceProcessor

        self._pieces = SentencePieceProcessor(model_file=str(folder / "source.model"))
        self._translators = {
            parts: ctranslate2.Translator(
                str(folder),
                compute_type="float32",
                inter_threads=parts,
                intra_threads=threads // parts,
            )
            for parts in sorted({1, threads})
        }

    def prepared(self, sentences: int, tokens: int) -> Callable[[], object]:
        ids = random_ids(sentences, tokens - 2)  # start and end are added
        batch = [[self._pieces.id_to_piece(int(i)) for i in row] for row in ids]
        limits = {"min_decoding_length": tokens, "max_decoding_length": tokens}
        calls = [
            partial(
                translator.translate_batch,
                batch,
                max_batch_size=math.ceil(sentences / parts),
                beam_size=1,
                max_input_length=0,
                **limits,
            )
            for parts, translator in self._translators.items()
        ]
        return min(calls, key=lambda call: min(seconds_of(call) for _ in range(2)))


def untrained_translator():
    """The article's model with the tokenizers of the package's translator."""
    from tf_models.tasks.translation.ready_made import RUN_DIR
    from tf_models.tasks.translation.run import load_settings
    from tf_models.tasks.translation.transformer_model import build_transformer
    from tf_models.tasks.translation.translator import Translator
    from tf_models.training.run_directory import RunDirectory

    _, tokenizers = load_settings(RunDirectory(RUN_DIR))
    return Translator(
        build_transformer(article().model, tokenizers, "float32"), tokenizers, POSITIONS
    )


def systems(task: str, folder: Path, threads: int) -> dict[str, tuple]:
    """Each system of a task by its name: what makes it, and its arguments."""
    if task == TRAINING:
        return {
            "tf-models": (TfModelsTraining, folder),
            "pytorch-float32": (PyTorchTraining, threads),
        }
    return {
        "tf-models": (TfModelsDecoding,),
        "ctranslate2": (CTranslate2Decoding, folder / "ctranslate2", threads),
    }


class Machine:
    """What no system can be faster than; it also exports the model for CTranslate2."""

    def __init__(self, threads: int):
        with quiet_tensorflow():
            from research.benchmarks.gemm_peak import GemmPeak
        self._peak = GemmPeak()
        self._threads = threads

    def export(self, folder: Path) -> None:
        from tf_models.tasks.translation.export.ctranslate2 import export_ctranslate2

        folder.mkdir()
        export_ctranslate2(untrained_translator(), folder)

    def speeds(self, count: int) -> tuple[float, float]:
        """FLOP/s of large matrix products in float32, and how many numbers of an array of so many
        all threads together can read in a second.
        """
        parts = np.array_split(np.ones(count, np.float32), self._threads)
        with ThreadPoolExecutor(self._threads) as pool:
            reading = min(seconds_of(lambda: list(pool.map(np.max, parts))) for _ in range(50))
        return self._peak.measure()["float32"], count / reading
