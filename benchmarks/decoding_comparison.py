"""Decoding speed: every rival translates the same sentences with the same weights, in turn."""

import contextlib
import statistics
from functools import partial
from pathlib import Path

from benchmarks import decoding_systems
from benchmarks.comparison import Plan, measure_in_turn, start_all, summarise
from benchmarks.decoding_systems import BEAM_SIZE, DecodingRound
from benchmarks.timing import seconds_of
from benchmarks.workers import Worker
from tf_models.command_line import quiet_tensorflow
from tf_models.data.text.corpora import Corpus
from tf_models.data.text.pairs import SentencePair
from tf_models.errors import InputError
from tf_models.tasks.translation.settings import TranslatorSettings


def compare_decoding(
    run_dir: Path, pairs: list[SentencePair], names: list[str], folder: Path, plan: Plan
) -> dict:
    """Measure rivals of `comparison.DECODING`.

    Args:
        run_dir: of the trained model.
        pairs: whose sources to translate; what the model cannot translate is left out.
        names: of the rivals.
        folder: where CTranslate2's model may be made.
        plan: how to measure.

    Returns:
        what JSON says of the decoding part.

    Raises:
        InputError: no such run, no sentence that it can translate, or a rival died.
    """
    with Worker("export", Preparation, run_dir, threads=plan.threads) as preparation:
        sentences, lengths = preparation.ask("possible", pairs)
        if "ctranslate2" in names:
            preparation.ask("export", folder / "ctranslate2")
    with contextlib.ExitStack() as workers:
        starts = _starts(run_dir, sentences, names, folder / "ctranslate2", plan.threads)
        started = start_all(starts, workers, plan)
        described = {name: worker.ask("describe") for name, worker in started.items()}
        texts = {name: started[name].ask("translations") for name in names if name != "tutorial"}
        requests = dict.fromkeys(names, ("round",))
        figures, others = measure_in_turn(started, requests, plan, "decoding")
    return {
        "sentences": len(sentences),
        "beam_size": BEAM_SIZE,
        **lengths,
        "rivals": _rivals(described, figures, others),
        **_agreement(texts),
    }


class Preparation:
    """What is done once with the trained model, before anything is timed."""

    def __init__(self, run_dir: Path):
        with quiet_tensorflow():
            from tf_models.tasks.translation.translator import Translator
        self._translator = Translator.load(run_dir)

    def possible(self, pairs: list[SentencePair]) -> tuple[list[str], dict[str, float]]:
        """The sources that the model can translate, and how long the translations are.

        Raises:
            InputError: it can translate none.
        """
        found = [pair for pair in pairs if self._translator.can_translate(pair.source)]
        if not found:
            raise InputError(f"the model can translate none of {len(pairs)} test sentences")
        sources, references = (list(side) for side in zip(*found, strict=True))
        written = [best.text for best, *_ in self._translator.translate(sources)]
        return sources, {
            "tokens_per_sentence": self._tokens(written),
            "reference_tokens_per_sentence": self._tokens(references),
        }

    def _tokens(self, texts: list[str]) -> float:
        """Mean number of target tokens, the end token included and the start token not."""
        encode = self._translator.tokenizers.target.encode
        return statistics.mean(len(encode(text)) - 1 for text in texts)

    def export(self, folder: Path) -> None:
        """Write the weights for CTranslate2."""
        from tf_models.tasks.translation.export.ctranslate2 import export_ctranslate2

        folder.mkdir()
        export_ctranslate2(self._translator, folder)


def train_briefly(
    corpus: Corpus, settings: TranslatorSettings, epochs: int, run_dir: Path, threads: int
) -> str:
    """Train a model for the decoding part in `run_dir`; return what was trained, in words."""
    task = (corpus, settings.changed(epochs=epochs), run_dir)
    seconds = seconds_of(lambda: Worker("training", BriefTraining, *task, threads=threads).close())
    return (
        f"the toy preset, trained for {epochs} epochs of {len(corpus.train):,} pairs "
        f"in {seconds:.0f} s"
    )


class BriefTraining:
    """A training, finished as soon as it is made."""

    def __init__(self, corpus: Corpus, settings: TranslatorSettings, run_dir: Path):
        with quiet_tensorflow():
            from tf_models.tasks.translation.train import prepare_training
            from tf_models.training.run_directory import RunDirectory
        run = RunDirectory(run_dir)
        training = prepare_training(run, corpus, settings, seed=0, report=lambda line: None)
        training.loop.fit(settings.epochs)


def _starts(
    run_dir: Path, sentences: list[str], names: list[str], exported: Path, threads: int
) -> dict:
    makes = {
        "tutorial": (decoding_systems.Tutorial, run_dir, sentences),
        "tf-models": (decoding_systems.TfModels, run_dir, sentences),
        "ctranslate2": (decoding_systems.CTranslate2, exported, sentences, threads),
    }
    return {name: partial(Worker, name, *makes[name], threads=threads) for name in names}


def _rivals(described: dict, figures: dict[str, list[DecodingRound]], others: dict) -> dict:
    rivals = {}
    for name, rounds in figures.items():
        seconds, note = described[name]
        rivals[name] = {
            "start_up_seconds": seconds,
            "note": note,
            "taken_by_others": others[name],
        }
        for what in ("greedy", "beam", "latency"):
            found = [getattr(done, what) for done in rounds]
            rivals[name][f"{what}_seconds"] = None if None in found else summarise(found)
    for name, rival in rivals.items():
        rival["times_as_fast_as"] = {
            other: {
                what: rivals[other][f"{what}_seconds"]["median"]
                / rival[f"{what}_seconds"]["median"]
                for what in ("greedy", "beam", "latency")
                if rival[f"{what}_seconds"] and rivals[other][f"{what}_seconds"]
            }
            for other in ("tutorial", "ctranslate2")
            if other in rivals and other != name
        }
    return rivals


def _agreement(texts: dict[str, list[str]]) -> dict:
    """How many sentences tf-models and CTranslate2 translate alike: they have the same weights."""
    if not {"tf-models", "ctranslate2"} <= texts.keys():
        return {}
    pairs = zip(texts["tf-models"], texts["ctranslate2"], strict=True)
    return {"equal_greedy_translations": sum(ours == theirs for ours, theirs in pairs)}
