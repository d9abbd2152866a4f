"""The worth of attention (lecture 7): translators of several architectures on one corpus.

BLEU by sentence length shows what a fixed-length vector cannot hold, the minutes to a BLEU what
attention does for training, the alignment error rate whether it finds the translated word.
"""

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING

import numpy as np

from research.experiments.long_sentences import write_long_sentences
from research.experiments.recipe import Results, Run, Values, chosen, read_history
from research.experiments.translators import TranslatorRecipe
from tf_models.data.corpora import Corpus
from tf_models.data.pairs import SentencePair
from tf_models.translation.settings import RECURRENT, TRANSFORMER, TranslatorSettings, preset

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tf_models.translation.translate import Translator

ARCHITECTURES = (TRANSFORMER, *RECURRENT)
LONG = "long"  # the default corpus, written into the folder of the runs
ALIGNED_PAIRS = 300  # of validation and of test, whose alignment is measured


class Comparison(TranslatorRecipe):
    """Three models, some ten minutes each, on embedded sentences of up to 40 words."""

    name = "comparison"
    question = "what is attention good for?"
    changes = {"epochs": 3}  # of all models alike

    @classmethod
    def add_options(cls, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.set_defaults(corpus=[LONG])
        help = f"only these of {', '.join(ARCHITECTURES)}"
        parser.add_argument("--models", nargs="+", metavar="NAME", help=help)

    def settings(self) -> dict[str, TranslatorSettings]:
        """The settings of each model in the preset, changed as far as it knows what is changed.

        With patience, BLEU is measured after each epoch; with so much, no run ends early.
        """
        found = {}
        for name in chosen("--models", self.arguments.models, ARCHITECTURES):
            settings = preset(self.arguments.preset, name)
            changes = {**self.changes, **dict(self.arguments.set)}
            known = {key: value for key, value in changes.items() if key in settings.flat()}
            changed = settings.changed(**known)
            found[name] = changed.changed(patience=changed.training.epochs)
        return found

    @cached_property
    def corpus(self) -> Corpus:
        if self.arguments.corpus == [LONG]:
            file = self.folder / "long.tsv.xz"
            if not file.exists():
                write_long_sentences(file)
            self.arguments.corpus = [str(file)]
        return super().corpus

    def results(self, runs: Sequence[Run]) -> Results:
        results = super().results(runs)
        best = [np.nanmax(read_history(run.path)["val_bleu"]) for run in runs]
        goal = int(min(best))  # a round BLEU that all reached
        for run in runs:
            minutes = minutes_to_bleu(run.path, goal)
            results.add(run.label, {f"minutes to validation BLEU {goal}": minutes})
        return results

    def measure(self, run: Run) -> Mapping[str, Values]:
        """Scores of the test pairs, the alignment, and the cost of the training."""
        from research.heads.word_alignment import alignment_errors
        from tf_models.translation.evaluate import evaluate_translator
        from tf_models.translation.translate import Translator

        translator, corpus = Translator.load(run.path), self.corpus
        scores, _ = evaluate_translator(translator, corpus.test)
        alignment = None
        if corpus.annotated and "cross" in translator.model.attention_kinds:
            validation, test = (
                [pair for pair in split[:ALIGNED_PAIRS] if _fits(translator, pair)]
                for split in (corpus.validation, corpus.test)
            )
            links = {source: pair.links for source, pair in corpus.annotated.items()}
            alignment = alignment_errors(translator, validation, test, links)
        values = {
            "parameters": translator.model.network.count_params(),
            "target tokens/s": median(read_history(run.path)["tokens_per_second"]),
            "minutes of training": sum(read_history(run.path)["seconds"]) / 60,
            "BLEU": scores.bleu,
            "exact match, %": scores.exact_match,
            "alignment errors, %": alignment,
            **{
                f"BLEU of {words} words ({count})": bleu
                for words, (bleu, count) in scores.bleu_by_length.items()
            },
        }
        return {run.label: values}

    def figure(self, results: Results, runs: Sequence[Run]) -> "Figure":
        return plot_bleu_by_length(results)


def minutes_to_bleu(run_dir: Path, goal: float) -> float | None:
    """Minutes until the validation BLEU of a run was this high; None if it never was."""
    columns = read_history(run_dir)
    measured = zip(accumulate(columns["seconds"]), columns["val_bleu"], strict=True)
    return next((seconds / 60 for seconds, bleu in measured if bleu >= goal), None)


def _fits(translator: "Translator", pair: SentencePair) -> bool:
    return translator.source.can_encode(pair.source) and translator.target.can_encode(pair.target)


def _middle(column: str) -> float:
    """BLEU of 6-10 words (99) -> 8.0"""
    words, _ = column.removeprefix("BLEU of ").split(" words")
    return fmean(map(int, words.split("-")))


def plot_bleu_by_length(results: Results) -> "Figure":
    """BLEU against source words (Cho et al. 2014, "On the properties of neural machine
    translation", figure 4; Bahdanau et al. 2015, figure 2)."""
    from tf_models.plotting.lines import plot_lines

    places = {c: _middle(c) for c in results.columns if c.startswith("BLEU of ")}
    lines = {
        model: (
            list(places.values()),
            [fmean(values) for values in results.measured(model, places)],
        )
        for model in results
    }
    names = ("source words", "BLEU")
    return plot_lines(lines, axis_names=names, title="what a longer sentence costs")
