"""Time decoding beside the tutorial's loop and CTranslate2, with the same weights in float32.

All systems go from text to text, so that tokenisation is timed, too.
"""

import argparse
import json
import statistics
import tempfile
from pathlib import Path
from typing import Any

from research.benchmarks.systems import System, add_options, measure_in_turn, report, seconds_of
from research.command import run
from tf_models.data.corpora import load_corpus

SYSTEMS = ("tutorial", "tf-models", "ctranslate2")
BEAM_SIZE, LENGTH_PENALTY = 5, 0.6
SINGLES = 50  # sentences that are translated one by one
TUTORIAL_SENTENCES = 8
BATCH_SIZES = (32, 64, 128)  # sentences; CTranslate2 takes the fastest


def sample(sentences: list[str], count: int) -> list[str]:
    """At most `count` sentences, evenly from the shortest to the longest."""
    ordered = sorted(sentences, key=len)
    count = min(count, len(ordered))
    return [ordered[(2 * i + 1) * len(ordered) // (2 * count)] for i in range(count)]


class DecodingSystem:
    """A subclass translates; a beam of 1 is greedy search."""

    def __init__(self, sentences: list[str]):
        self.sentences = sentences
        self.singles = sample(sentences, SINGLES)

    def translate(self, sentences: list[str], beam_size: int) -> list[str]:
        """The best translation of each sentence."""
        raise NotImplementedError

    def round(self) -> dict[str, float | None]:
        """Seconds of all sentences, and the median of single ones."""
        each = [seconds_of(lambda one=one: self.translate([one], 1)) for one in self.singles]
        return {
            "greedy, s": seconds_of(lambda: self.translate(self.sentences, 1)),
            f"beam of {BEAM_SIZE}, s": seconds_of(
                lambda: self.translate(self.sentences, BEAM_SIZE)
            ),
            "one sentence, ms": 1000 * statistics.median(each),
        }


class Tutorial(DecodingSystem):
    """The tutorial's loop, one sentence after the other; all are extrapolated from a few."""

    def __init__(self, run_dir: str, sentences: list[str]):
        super().__init__(sentences)
        from research.benchmarks.tutorial import MAX_LENGTH, evaluate

        self._evaluate, self._translator = evaluate, _load(run_dir)
        self._max_length = min(MAX_LENGTH, self._translator.max_length)
        self.singles = sample(sentences, TUTORIAL_SENTENCES)
        self.translate(self.singles[:1], 1)  # the first call of every operation takes longer

    def translate(self, sentences: list[str], beam_size: int) -> list[str]:
        """Greedily, whatever the beam size."""
        target, network = self._translator.tokenizers.target, self._translator.model.network
        sources = map(self._translator.source.encode, sentences)
        options = target.start_id, target.end_id, self._max_length
        return [target.decode(self._evaluate(network, source, *options)) for source in sources]

    def round(self) -> dict[str, float | None]:
        each = [seconds_of(lambda one=one: self.translate([one], 1)) for one in self.singles]
        return {
            "greedy, s": statistics.mean(each) * len(self.sentences),
            f"beam of {BEAM_SIZE}, s": None,
            "one sentence, ms": 1000 * statistics.median(each),
        }


class TfModels(DecodingSystem):
    """This project's translator."""

    def __init__(self, run_dir: str, sentences: list[str]):
        super().__init__(sentences)
        import tensorflow as tf

        tf.config.threading.set_intra_op_parallelism_threads(1)  # a batch on each core
        self._translator = _load(run_dir)
        for _ in range(2):  # what is compiled is so before time counts
            self.translate(sentences, 1)
            self.translate(sentences, BEAM_SIZE)
            for single in self.singles:
                self.translate([single], 1)

    def translate(self, sentences: list[str], beam_size: int) -> list[str]:
        """Translate them in one call."""
        options = {"beam_size": beam_size, "length_penalty": LENGTH_PENALTY}
        return [best.text for best, *_ in self._translator.translate(sentences, **options)]


class CTranslate2(DecodingSystem):
    """CTranslate2, with the fastest of some ways to use threads and batches.

    Args:
        folder: of the exported model.
        sentences: to translate.
        threads: in all.
    """

    def __init__(self, folder: Path, sentences: list[str], threads: int):
        super().__init__(sentences)
        import ctranslate2
        from sentencepiece import SentencePieceProcessor

        self._source, self._target = (
            SentencePieceProcessor(model_file=str(folder / f"{side}.model"))
            for side in ("source", "target")
        )
        description = json.loads((folder / "translator.json").read_text("utf-8"))
        self._max_length = description["max_target_length"]
        options = {"device": "cpu", "compute_type": "float32"}
        ways = {(1, threads), (threads, 1)}  # batches at a time, threads of each
        translators = [
            ctranslate2.Translator(str(folder), inter_threads=i, intra_threads=j, **options)
            for i, j in sorted(ways)
        ]
        configs = [(one, size) for one in translators for size in BATCH_SIZES]
        self._single = self._fastest(configs[:: len(BATCH_SIZES)], [[s] for s in self.singles], 1)
        self._many = {
            beam_size: self._fastest(configs, [sentences], beam_size)
            for beam_size in (1, BEAM_SIZE)
        }

    def _fastest(self, configs: list[tuple], calls: list[list[str]], beam_size: int) -> tuple:
        def translate_all(config: tuple) -> None:
            for sentences in calls:
                self._run(sentences, beam_size, *config)

        return min(configs, key=lambda config: seconds_of(lambda: translate_all(config)))

    def translate(self, sentences: list[str], beam_size: int) -> list[str]:
        """Translate them in one call."""
        config = self._single if len(sentences) == 1 else self._many[beam_size]
        return self._run(sentences, beam_size, *config)

    def _run(
        self, sentences: list[str], beam_size: int, translator: Any, batch_size: int
    ) -> list[str]:
        found = translator.translate_batch(
            self._source.encode(sentences, out_type=str),
            beam_size=beam_size,
            length_penalty=LENGTH_PENALTY,
            max_batch_size=batch_size,
            min_decoding_length=0,  # the default of 1 never writes an empty translation
            max_decoding_length=self._max_length,
        )
        return self._target.decode([result.hypotheses[0] for result in found])


class Preparation:
    """Exports the model, and chooses the sentences that it can translate."""

    def __init__(self, run_dir: str):
        self._translator = _load(run_dir)

    def translatable(self, sentences: list[str]) -> list[str]:
        return [one for one in sentences if self._translator.can_translate(one)]

    def export(self, folder: Path) -> None:
        from tf_models.translation.export import export_ctranslate2

        folder.mkdir()
        export_ctranslate2(self._translator, folder)


def _load(run_dir: str | None) -> Any:
    """The translator in a run directory, or that of the package."""
    from tf_models.translation.translate import Translator, ready_made

    return Translator.load(Path(run_dir)) if run_dir else ready_made()


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run-dir", help="of a trained translator; default: the package's")
    parser.add_argument("--corpus", default="everyday", help="of the test pairs; default: everyday")
    parser.add_argument("--data-dir", type=Path, help="folder of downloads")
    parser.add_argument("--sentences", type=int, default=1000, metavar="N", help="default: 1000")
    add_options(parser, SYSTEMS)
    return parser


def main(arguments: argparse.Namespace) -> None:
    run_dir, threads = arguments.run_dir, arguments.threads
    pairs = load_corpus(arguments.corpus, data_dir=arguments.data_dir).test
    with tempfile.TemporaryDirectory() as folder:
        exported = Path(folder) / "ctranslate2"
        with System(Preparation, run_dir, threads=threads) as preparation:
            first = [pair.source for pair in pairs[: arguments.sentences]]
            sentences = preparation.ask("translatable", first)
            if "ctranslate2" in arguments.systems:
                preparation.ask("export", exported)
        known = {
            "tutorial": (Tutorial, run_dir, sentences),
            "tf-models": (TfModels, run_dir, sentences),
            "ctranslate2": (CTranslate2, exported, sentences, threads),
        }
        systems = {name: known[name] for name in arguments.systems}
        results = measure_in_turn(systems, arguments.rounds, threads)
    report(f"decoding {len(sentences):,} sentences", results, threads)


if __name__ == "__main__":
    run(make_parser(), main)
