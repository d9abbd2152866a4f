"""Several trained translators that translate as one, beside each of them alone."""

from argparse import Namespace
from collections.abc import Callable, Mapping
from pathlib import Path

from research.experiments.recipe import Recipe, Run, Values
from tf_models.command_line import Parser, names_of_runs, quiet_tensorflow
from tf_models.errors import InputError


class Ensemble(Recipe):
    name = "ensemble"
    question = "what do several runs give that translate as one?"
    examples = """\
  python -m research.experiments ensemble --run-dir runs/seed-0 runs/seed-1 \\
      --test test.en test.de
      BLEU of each run, and of both together"""
    trains = False

    def make_parser(self) -> Parser:
        parser = super().make_parser()
        parser.add_argument("--run-dir", type=Path, nargs="+", required=True)
        parser.add_argument("--label", nargs="+", help="a name for each run; default: the folder's")
        files = {"type": Path, "nargs": 2, "metavar": ("SOURCE", "REFERENCE"), "required": True}
        parser.add_argument("--test", help="files, line by line beside each other", **files)
        parser.add_argument("--beam-size", type=int, metavar="N", help="default: the first run's")
        return parser

    def labels(self, arguments: Namespace) -> list[str]:
        if arguments.seeds != (0,):
            raise InputError("ensemble reads runs that are there: leave --seeds out")
        return [*names_of_runs(arguments, [self.name]), self.name]

    def measurement(self, arguments: Namespace) -> Callable[[Run], Mapping[str, Values]]:
        with quiet_tensorflow():
            from research.experiments.ensemble_model import together
            from tf_models.data.text.corpus_files import read_aligned
            from tf_models.tasks.translation.evaluation import evaluate_translator
            from tf_models.tasks.translation.translator import Translator
        test = read_aligned(*arguments.test)
        names = self.labels(arguments)[:-1]
        found = {n: Translator.load(p) for n, p in zip(names, arguments.run_dir, strict=True)}
        found[self.name] = together(found)

        def measure(run: Run) -> dict[str, Values]:
            scores, _ = evaluate_translator(
                found[run.label], test, beam_size=arguments.beam_size, progress=True
            )
            lowercased = {"lowercased": scores.bleu_lowercased, "chrF": scores.chrf}
            return {run.label: {"BLEU": scores.bleu, **lowercased}}

        return measure
