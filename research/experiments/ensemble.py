"""Several trained translators that translate as one, beside each of them alone."""

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from research.experiments.recipe import Recipe, Run, Values
from research.options import Parser, names_of_runs
from tf_models.command_line import quiet_tensorflow
from tf_models.errors import InputError

if TYPE_CHECKING:  # --help need not wait for TensorFlow
    from tf_models.data.text.pairs import SentencePair
    from tf_models.tasks.translation.translator import Translator


class Ensemble(Recipe):
    name = "ensemble"
    question = "what do several runs give that translate as one?"
    examples = """\
  python -m research.experiments ensemble --run-dir runs/seed-0 runs/seed-1 \\
      --validation val.en val.de --test test.en test.de
      the length penalty of both together is chosen on the validation pairs"""
    trains = False

    def make_parser(self) -> Parser:
        parser = super().make_parser()
        parser.add_argument("--run-dir", type=Path, nargs="+", required=True)
        parser.add_argument("--label", nargs="+", help="a name for each run; default: the folder's")
        files = {"type": Path, "nargs": 2, "metavar": ("SOURCE", "REFERENCE"), "required": True}
        parser.add_argument("--validation", help="files, line by line beside each other", **files)
        parser.add_argument("--test", help="files, line by line beside each other", **files)
        parser.add_argument("--beam-size", type=int, metavar="N", help="default: the first run's")
        return parser

    def labels(self, arguments: Namespace) -> list[str]:
        if arguments.seeds != (0,):
            raise InputError("ensemble reads runs that are there: leave --seeds out")
        return [*names_of_runs(arguments, self.name), self.name]

    def measurement(self, arguments: Namespace) -> Callable[[Run], Mapping[str, Values]]:
        with quiet_tensorflow():
            from research.experiments.ensemble_model import together
            from tf_models.data.text.corpus_files import read_aligned
            from tf_models.tasks.translation.evaluation import evaluate_translator
            from tf_models.tasks.translation.translator import Translator
        validation, test = read_aligned(*arguments.validation), read_aligned(*arguments.test)
        names = self.labels(arguments)[:-1]
        found = {n: Translator.load(p) for n, p in zip(names, arguments.run_dir, strict=True)}
        found[self.name] = whole = together(found)
        beam_size = arguments.beam_size or whole.decoding.beam_size
        penalty = choose_length_penalty(whole, validation, beam_size)

        def measure(run: Run) -> dict[str, Values]:
            options = {"length_penalty": penalty} if run.label == self.name else {}
            scores, _ = evaluate_translator(
                found[run.label], test, beam_size=beam_size, progress=True, **options
            )
            lowercased = {"lowercased": scores.bleu_lowercased, "chrF": scores.chrf}
            return {run.label: {"BLEU": scores.bleu, **lowercased}}

        return measure


def choose_length_penalty(
    translator: "Translator", pairs: Sequence["SentencePair"], beam_size: int
) -> float:
    """The length penalty that training would choose for this translator, if these were its
    validation pairs: several models together have one of their own.

    Raises:
        InputError: the search is greedy.
    """
    from tf_models.tasks.translation.evaluation import DecodingTrials, choose_decoding

    if beam_size == 1:
        raise InputError("a length penalty compares the hypotheses of a beam; pass --beam-size 5")
    trials = DecodingTrials(lambda checkpoint: translator, pairs)
    chosen = choose_decoding(trials, [translator.decoding.checkpoint], beam_size)
    return chosen.length_penalty
