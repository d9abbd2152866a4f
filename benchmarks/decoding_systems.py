"""Who takes part in the decoding benchmark; each class makes one rival in its own process.

All of them go from text to text, so that everyone's tokenisation is timed. Only when it is made
does a rival import its libraries.
"""

import json
import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.timing import seconds_of, timed
from tf_models.command_line import quiet_tensorflow

BEAM_SIZE = 5
LENGTH_PENALTY = 0.6
SENTENCES_FOR_LATENCY = 50
SENTENCES_OF_THE_TUTORIAL = 8
BATCH_SIZES = (32, 64, 128)  # sentences, among which CTranslate2 may choose


@dataclass(frozen=True)
class DecodingRound:
    """Seconds of one round.

    greedy, beam: for all sentences; beam is None where a rival has no beam search.
    latency: median over single sentences, translated greedily.
    """

    greedy: float
    beam: float | None
    latency: float


def sample(sentences: Sequence[str], count: int) -> list[str]:
    """At most `count` sentences from the shortest to the longest, evenly."""
    ordered = sorted(sentences, key=len)
    count = min(count, len(ordered))
    return [ordered[(2 * i + 1) * len(ordered) // (2 * count)] for i in range(count)]


class DecodingRival:
    """What all rivals answer. A subclass translates.

    Args:
        sentences: to translate.
    """

    def __init__(self, sentences: list[str]):
        self.sentences = sentences
        self.singles = sample(sentences, SENTENCES_FOR_LATENCY)
        self.seconds: dict[str, float] = {}  # of start-up, by what took them
        self.note = ""

    def translate(self, sentences: list[str], beam_size: int) -> list[str]:
        """The best translation of each sentence."""
        raise NotImplementedError

    def describe(self) -> tuple[dict[str, float], str]:
        """Seconds of start-up by what took them, and a note for the reader."""
        return self.seconds, self.note

    def translations(self) -> list[str]:
        """All sentences, greedily."""
        return self.translate(self.sentences, 1)

    def round(self) -> DecodingRound:
        """Translate everything once greedily, once with a beam, and single sentences."""
        return DecodingRound(
            greedy=seconds_of(lambda: self.translate(self.sentences, 1)),
            beam=seconds_of(lambda: self.translate(self.sentences, BEAM_SIZE)),
            latency=statistics.median(
                seconds_of(lambda s=single: self.translate([s], 1)) for single in self.singles
            ),
        )


class Tutorial(DecodingRival):
    """The tutorial's loop, sentence by sentence; a few stand for all.

    Args:
        run_dir: of the trained model.
        sentences: that the others translate.
    """

    def __init__(self, run_dir: Path, sentences: list[str]):
        super().__init__(sentences)
        with quiet_tensorflow():
            import tensorflow as tf

            from benchmarks.tutorial import evaluate
            from tf_models.tasks.translation.translator import Translator
        tf.zeros(())  # from now on nobody changes how TensorFlow uses the cores
        self._evaluate, self._translator = evaluate, Translator.load(run_dir)
        self.singles = sample(sentences, SENTENCES_OF_THE_TUTORIAL)
        self.note = (
            f"greedy is extrapolated from {len(self.singles)} sentences, shortest to longest"
        )
        self.translate(self.singles[:1])  # the first call of every operation takes longer

    def translate(self, sentences: list[str], beam_size: int = 1) -> list[str]:
        """Greedily, whatever the beam size."""
        return [self._translate(sentence) for sentence in sentences]

    def _translate(self, sentence: str) -> str:
        target = self._translator.tokenizers.target
        source = self._translator.encode_source(sentence)
        ids = self._evaluate(self._translator.model, source, target.start_id, target.end_id)
        return target.decode(ids)

    def round(self) -> DecodingRound:
        """Translate the few."""
        seconds = [seconds_of(lambda s=s: self._translate(s)) for s in self.singles]
        greedy = statistics.mean(seconds) * len(self.sentences)
        return DecodingRound(greedy, None, statistics.median(seconds))


class TfModels(DecodingRival):
    """This project's translator: batches, cached keys and values, compiled searches.

    Args:
        run_dir: of the trained model.
        sentences: that it can translate.
    """

    def __init__(self, run_dir: Path, sentences: list[str]):
        super().__init__(sentences)
        with timed(self.seconds, "import"), quiet_tensorflow():
            from tf_models.tasks.translation.translator import Translator
        with timed(self.seconds, "load"):
            self._translator = Translator.load(run_dir)
        self._trace(1, "greedy tracing")
        self._trace(BEAM_SIZE, "beam tracing")

    def _trace(self, beam_size: int, name: str) -> None:
        """Note by how much the first call is longer than the second; then warm up with all."""
        one = self.singles[:1]
        traced, warm = (seconds_of(lambda: self.translate(one, beam_size)) for _ in range(2))
        self.seconds[name] = traced - warm
        self.translate(self.sentences, beam_size)

    def translate(self, sentences: list[str], beam_size: int) -> list[str]:
        """Translate them together."""
        found = self._translator.translate(
            sentences, beam_size=beam_size, length_penalty=LENGTH_PENALTY
        )
        return [best.text for best, *_ in found]


@dataclass(frozen=True)
class Way:
    """How CTranslate2 spreads its work: translators side by side, threads of each, sentences."""

    inter_threads: int
    intra_threads: int
    max_batch_size: int

    def __str__(self) -> str:
        return (
            f"inter_threads {self.inter_threads}, intra_threads {self.intra_threads}, "
            f"max_batch_size {self.max_batch_size}"
        )


class CTranslate2(DecodingRival):
    """CTranslate2 with the very same weights, float32, in the fastest of a few ways.

    Args:
        folder: from `export_ctranslate2`.
        sentences: that this project's translator can translate.
        threads: in all.
    """

    def __init__(self, folder: Path, sentences: list[str], threads: int):
        super().__init__(sentences)
        with timed(self.seconds, "import"):
            import ctranslate2  # noqa: F401
        with timed(self.seconds, "load"):
            self._load_tokenizers(folder)
            self._translators = {(1, threads): _load_translator(folder, 1, threads)}
        self._translators[threads, 1] = _load_translator(folder, threads, 1)
        self._choose_ways()
        self.note = "; ".join(f"{task}: {way}" for task, way in self._ways.items())

    def _load_tokenizers(self, folder: Path) -> None:
        from sentencepiece import SentencePieceProcessor

        self._source = SentencePieceProcessor(model_file=str(folder / "source.model"))
        self._target = SentencePieceProcessor(model_file=str(folder / "target.model"))
        description = json.loads((folder / "translator.json").read_text("utf-8"))
        self._lowercase = description["source"]["lowercase"]
        self._longest = description["longest_target"]

    def _choose_ways(self) -> None:
        """Time every way twice, and keep the best one for each task."""
        ways = [Way(*threads, size) for threads in self._translators for size in BATCH_SIZES]
        tasks = {
            "greedy": ([self.sentences], 1, ways),
            "beam": ([self.sentences], BEAM_SIZE, ways),
            "one sentence": ([[single] for single in self.singles], 1, ways[:: len(BATCH_SIZES)]),
        }
        self._ways = {
            task: min(among, key=lambda way, c=calls, b=beam: self._seconds(c, b, way))
            for task, (calls, beam, among) in tasks.items()
        }

    def _seconds(self, calls: list[list[str]], beam_size: int, way: Way) -> float:
        """Of one call after the other, each with some sentences."""

        def translate_all() -> None:
            for sentences in calls:
                self._translate(sentences, beam_size, way)

        return min(seconds_of(translate_all) for _ in range(2))

    def translate(self, sentences: list[str], beam_size: int) -> list[str]:
        """Translate them together; CTranslate2 sorts them by length itself."""
        task = "one sentence" if len(sentences) == 1 else "greedy" if beam_size == 1 else "beam"
        return self._translate(sentences, beam_size, self._ways[task])

    def _translate(self, sentences: list[str], beam_size: int, way: Way) -> list[str]:
        if self._lowercase:  # as BPEmb's pretrained models know it
            sentences = [re.sub(r"\d", "0", sentence.lower()) for sentence in sentences]
        found = self._translators[way.inter_threads, way.intra_threads].translate_batch(
            self._source.encode(sentences, out_type=str),
            beam_size=beam_size,
            length_penalty=LENGTH_PENALTY,
            max_batch_size=way.max_batch_size,
            max_decoding_length=self._longest,
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
