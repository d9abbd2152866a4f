"""Decoding speed: each system translates the same sentences with the same weights, in turn."""

import operator
import statistics
from pathlib import Path

from research.benchmarks.comparison import (
    Plan,
    add_speed_ratios,
    measure_in_turn,
    started,
    system_results,
)
from research.benchmarks.decoding_systems import (
    BEAM_SIZE,
    CTranslate2,
    DecodingRound,
    TfModels,
    Tutorial,
)
from research.benchmarks.rounds import summarise
from research.benchmarks.timing import seconds_of
from research.benchmarks.workers import Worker
from tf_models.command_line import quiet_tensorflow
from tf_models.data.text.corpora import Corpus
from tf_models.data.text.pairs import SentencePair
from tf_models.errors import InputError
from tf_models.tasks.translation.settings import TranslatorSettings

MEASURES = ("greedy", "beam", "latency")  # fields of DecodingRound
BASELINES = ("tutorial", "ctranslate2")
EXPORTED = {"ctranslate2": CTranslate2}


def compare_decoding(
    run_dir: Path, pairs: list[SentencePair], names: list[str], folder: Path, plan: Plan
) -> dict:
    """Measure systems of `DECODING_SYSTEMS`.

    Args:
        run_dir: of the trained model.
        pairs: whose sources to translate; what the model cannot translate is left out.
        names: of the systems.
        folder: where CTranslate2's model may be made.
        plan: how to measure.

    Returns:
        what JSON says of the decoding part.

    Raises:
        InputError: no such run, no sentence that it can translate, or a process died.
    """
    exported = {name: folder / name for name in EXPORTED if name in names}
    with Worker("preparation", Preparation, run_dir, threads=plan.threads) as preparation:
        sentences, lengths = preparation.ask("translatable", pairs)
        for name, made in exported.items():
            preparation.ask("export", name, made)
    systems = {
        "tutorial": (Tutorial, run_dir, sentences),
        "tf-models": (TfModels, run_dir, sentences),
        **{
            name: (EXPORTED[name], made, sentences, plan.threads) for name, made in exported.items()
        },
    }
    with started({name: systems[name] for name in names}, plan) as workers:
        texts = {name: workers[name].ask("translations") for name in names if name != "tutorial"}
        measured = measure_in_turn(workers, dict.fromkeys(names, ("round",)), plan, "decoding")
        results = system_results(workers, measured, _figures)
    add_speed_ratios(results, lambda name: BASELINES, _speed_ratios)
    return {
        "sentences": len(sentences),
        "beam_size": BEAM_SIZE,
        **lengths,
        "systems": results,
        **_agreement(texts),
    }


class Preparation:
    """What is done once with the trained model, before anything is timed."""

    def __init__(self, run_dir: Path):
        with quiet_tensorflow():
            from tf_models.runtime import use_cores_for_inference
            from tf_models.tasks.translation.translator import Translator
        use_cores_for_inference()
        self._translator = Translator.load(run_dir)

    def translatable(self, pairs: list[SentencePair]) -> tuple[list[str], dict[str, float]]:
        """The sources that the model can translate, and the mean lengths of translations.

        Raises:
            InputError: it can translate none.
        """
        found = [pair for pair in pairs if self._translator.can_translate(pair.source)]
        if not found:
            raise InputError(f"the model can translate none of {len(pairs)} test sentences")
        sources, references = (list(side) for side in zip(*found, strict=True))
        hypotheses = [best.text for best, *_ in self._translator.translate(sources)]
        return sources, {
            "tokens_per_sentence": self._mean_tokens(hypotheses),
            "reference_tokens_per_sentence": self._mean_tokens(references),
        }

    def _mean_tokens(self, texts: list[str]) -> float:
        """Mean number of target tokens; the end token counts, the start token does not."""
        encode = self._translator.tokenizers.target.encode
        return statistics.mean(len(encode(text)) - 1 for text in texts)

    def export(self, name: str, folder: Path) -> None:
        """Write the model for one of `EXPORTED`."""
        from tf_models.commands.export import exporter

        folder.mkdir()
        exporter(name)(self._translator, folder)


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
    """A training that is finished when the object is made."""

    def __init__(self, corpus: Corpus, settings: TranslatorSettings, run_dir: Path):
        with quiet_tensorflow():
            from tf_models.tasks.translation.train import prepare_training
            from tf_models.training.run_directory import RunDirectory
        run = RunDirectory(run_dir)
        training = prepare_training(run, corpus, settings, seed=0, report=lambda line: None)
        training.fit()


def _figures(rounds: list[DecodingRound]) -> dict:
    """Seconds of each measure, summarised; None for what a system does not have."""
    figures = {}
    for measure in MEASURES:
        seconds = [getattr(done, measure) for done in rounds]
        figures[f"{measure}_seconds"] = None if None in seconds else summarise(seconds)
    return figures


def _speed_ratios(system: dict, baseline: dict) -> dict[str, float]:
    """How many times as fast as a baseline a system is, for each measure that both have."""
    return {
        measure: baseline[key]["median"] / system[key]["median"]
        for measure in MEASURES
        if system[key := f"{measure}_seconds"] and baseline[key]
    }


def _agreement(texts: dict[str, list[str]]) -> dict:
    """How many sentences the exported model translates as tf-models does: the weights are equal."""
    ours = texts.get("tf-models", [])
    equal = {
        name: sum(map(operator.eq, ours, texts[name]))
        for name in EXPORTED
        if ours and name in texts
    }
    return {"equal_greedy_translations": equal} if equal else {}
