"""The systems of the decoding benchmark; each object is one system in its own process.

All of them go from text to text, so that tokenisation is timed, too.
"""

import json
import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from research.benchmarks.systems import System
from research.benchmarks.timing import seconds_of
from tf_models.command_line import quiet_tensorflow

BEAM_SIZE = 5
LENGTH_PENALTY = 0.6
LATENCY_SENTENCES = 50
TUTORIAL_SENTENCES = 8
BATCH_SIZES = (32, 64, 128)  # sentences; CTranslate2 takes the fastest
GREEDY, BEAM, SINGLE = "greedy", "beam", "one sentence"  # what CTranslate2's threads are chosen for


@dataclass(frozen=True)
class DecodingRound:
    """Seconds of one round.

    greedy, beam: for all sentences; beam is None for a system without beam search.
    latency: median over single sentences, translated greedily.
    """

    greedy: float
    beam: float | None
    latency: float


def sample(sentences: Sequence[str], count: int) -> list[str]:
    """At most `count` sentences, evenly from the shortest to the longest."""
    ordered = sorted(sentences, key=len)
    count = min(count, len(ordered))
    return [ordered[(2 * i + 1) * len(ordered) // (2 * count)] for i in range(count)]


class DecodingSystem(System):
    """A subclass translates.

    Args:
        sentences: to translate.
    """

    def __init__(self, sentences: list[str]):
        super().__init__()
        self.sentences = sentences
        self.singles = sample(sentences, LATENCY_SENTENCES)

    def translate(self, sentences: list[str], beam_size: int) -> list[str]:
        """The best translation of each sentence; a beam of 1 is greedy search."""
        raise NotImplementedError

    def translations(self) -> list[str]:
        """All sentences, translated greedily."""
        return self.translate(self.sentences, 1)

    def round(self) -> DecodingRound:
        """Translate all sentences greedily, then with a beam, then single ones."""
        return DecodingRound(
            greedy=seconds_of(lambda: self.translate(self.sentences, 1)),
            beam=seconds_of(lambda: self.translate(self.sentences, BEAM_SIZE)),
            latency=statistics.median(
                seconds_of(lambda s=single: self.translate([s], 1)) for single in self.singles
            ),
        )


class Tutorial(DecodingSystem):
    """The tutorial's loop, one sentence after the other; all are extrapolated from a few.

    Args:
        run_dir: of the trained model.
        sentences: that the other systems translate.
    """

    def __init__(self, run_dir: Path, sentences: list[str]):
        super().__init__(sentences)
        with quiet_tensorflow():
            import tensorflow as tf

            from research.benchmarks.tutorial import evaluate
            from tf_models.tasks.translation.translator import Translator
        tf.zeros(())  # TensorFlow starts its threads: their number is its default, and stays
        self._evaluate, self._translator = evaluate, Translator.load(run_dir)
        self.singles = sample(sentences, TUTORIAL_SENTENCES)
        self.note = (
            f"greedy is extrapolated from {len(self.singles)} sentences, shortest to longest"
        )
        self.translate(self.singles[:1])  # the first call of every operation takes longer

    def translate(self, sentences: list[str], beam_size: int = 1) -> list[str]:
        """Greedily, whatever the beam size."""
        return [self._translate(sentence) for sentence in sentences]

    def _translate(self, sentence: str) -> str:
        target = self._translator.tokenizers.target
        source = self._translator.source.encode(sentence)
        ids = self._evaluate(self._translator.model.network, source, target.start_id, target.end_id)
        return target.decode(ids)

    def round(self) -> DecodingRound:
        """Translate a few sentences."""
        seconds = [seconds_of(lambda s=s: self._translate(s)) for s in self.singles]
        greedy = statistics.mean(seconds) * len(self.sentences)
        return DecodingRound(greedy, None, statistics.median(seconds))


class TfModels(DecodingSystem):
    """This project's translator: batches, KV cache, compiled searches.

    Args:
        run_dir: of the trained model.
        sentences: that it can translate.
    """

    def __init__(self, run_dir: Path, sentences: list[str]):
        super().__init__(sentences)
        with self.timed("import"), quiet_tensorflow():
            from tf_models.runtime import use_cores_for_inference
            from tf_models.tasks.translation.translator import Translator
        use_cores_for_inference()
        with self.timed("load"):
            self._translator = Translator.load(run_dir)
        self._trace(1, "greedy tracing")
        self._trace(BEAM_SIZE, "beam tracing")
        with self.timed("one by one, until XLA has compiled"):
            for single in 3 * self.singles:
                self.translate([single], 1)

    def _trace(self, beam_size: int, part: str) -> None:
        """Note by how much the first call takes longer than the second; then warm up with all."""
        one = self.singles[:1]
        first, second = (seconds_of(lambda: self.translate(one, beam_size)) for _ in range(2))
        self.start_up_seconds[part] = first - second
        self.translate(self.sentences, beam_size)

    def translate(self, sentences: list[str], beam_size: int) -> list[str]:
        """Translate them in one call."""
        found = self._translator.translate(
            sentences, beam_size=beam_size, length_penalty=LENGTH_PENALTY
        )
        return [best.text for best, *_ in found]


@dataclass(frozen=True)
class ThreadConfig:
    """How CTranslate2 uses the cores.

    inter_threads: batches translated at the same time.
    intra_threads: threads of each.
    max_batch_size: sentences.
    """

    inter_threads: int
    intra_threads: int
    max_batch_size: int

    def __str__(self) -> str:
        return (
            f"inter_threads {self.inter_threads}, intra_threads {self.intra_threads}, "
            f"max_batch_size {self.max_batch_size}"
        )


class CTranslate2(DecodingSystem):
    """CTranslate2 with the same weights in float32, and the fastest of some thread configurations.

    Args:
        folder: from `export_ctranslate2`.
        sentences: that this project's translator can translate.
        threads: in all.
    """

    def __init__(self, folder: Path, sentences: list[str], threads: int):
        super().__init__(sentences)
        with self.timed("import"):
            import ctranslate2  # noqa: F401
        with self.timed("load"):
            self._load_tokenizers(folder)
            self._translators = {(1, threads): _load_translator(folder, 1, threads)}
        self._translators[threads, 1] = _load_translator(folder, threads, 1)
        self._configs = self._fastest_configs()
        self.note = "; ".join(f"{task}: {config}" for task, config in self._configs.items())

    def _load_tokenizers(self, folder: Path) -> None:
        from sentencepiece import SentencePieceProcessor

        self._source = SentencePieceProcessor(model_file=str(folder / "source.model"))
        self._target = SentencePieceProcessor(model_file=str(folder / "target.model"))
        description = json.loads((folder / "translator.json").read_text("utf-8"))
        self._lowercase = description["source"]["lowercase"]
        self._max_length = description["max_target_length"]

    def _fastest_configs(self) -> dict[str, ThreadConfig]:
        """For each task the configuration that is fastest in two trials."""
        configs = [
            ThreadConfig(*threads, size) for threads in self._translators for size in BATCH_SIZES
        ]
        any_batch_size = configs[:: len(BATCH_SIZES)]  # it is the same for a single sentence
        singles = [[single] for single in self.singles]
        return {
            GREEDY: self._fastest(configs, [self.sentences], 1),
            BEAM: self._fastest(configs, [self.sentences], BEAM_SIZE),
            SINGLE: self._fastest(any_batch_size, singles, 1),
        }

    def _fastest(
        self, configs: list[ThreadConfig], calls: list[list[str]], beam_size: int
    ) -> ThreadConfig:
        """The one that takes least time for some calls, each with its sentences."""

        def seconds(config: ThreadConfig) -> float:
            def translate_all() -> None:
                for sentences in calls:
                    self._translate(sentences, beam_size, config)

            return min(seconds_of(translate_all) for _ in range(2))

        return min(configs, key=seconds)

    def translate(self, sentences: list[str], beam_size: int) -> list[str]:
        """Translate them in one call; CTranslate2 itself sorts them by length."""
        task = SINGLE if len(sentences) == 1 else GREEDY if beam_size == 1 else BEAM
        return self._translate(sentences, beam_size, self._configs[task])

    def _translate(self, sentences: list[str], beam_size: int, config: ThreadConfig) -> list[str]:
        if self._lowercase:  # as BPEmb's pretrained models expect it, with digits as 0
            sentences = [re.sub(r"\d", "0", sentence.lower()) for sentence in sentences]
        found = self._translators[config.inter_threads, config.intra_threads].translate_batch(
            self._source.encode(sentences, out_type=str),
            beam_size=beam_size,
            length_penalty=LENGTH_PENALTY,
            max_batch_size=config.max_batch_size,
            min_decoding_length=0,  # the default of 1 never writes an empty translation
            max_decoding_length=self._max_length,
        )
        return self._target.decode([result.hypotheses[0] for result in found])


def _load_translator(folder: Path, inter_threads: int, intra_threads: int):
    import ctranslate2

    return ctranslate2.Translator(
        str(folder),
        device="cpu",
        compute_type="float32",
        inter_threads=inter_threads,
        intra_threads=intra_threads,
    )
