"""What recipes of translators share: options, corpus and training."""

from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path

from research.experiments.recipe import Recipe, Run, add_options
from tf_models.command_line import Parser
from tf_models.commands.train_translator import (
    default_run_dir,
    load_corpus_of,
    make_training_parser,
)
from tf_models.tasks.translation.settings import TranslatorSettings

COMMON = ("--corpus", "--preset", "--epochs", "--run-dir", "--seeds", "--jobs", "--output")


class TranslatorRecipe(Recipe):
    """Trainings of one corpus that differ in some settings.

    The corpus has --seed, the trainings have --seeds: all of them read the same pairs.
    """

    names_model = True

    def make_parser(self) -> Parser:
        folder = f"runs/CORPUS-{self.name}, with a run for each setting and seed"
        names_model = self.names_model
        parser = make_training_parser(self.question, self.examples, folder, names_model=names_model)
        add_options(parser)
        parser.common = dict.fromkeys(COMMON, "")
        return parser

    def folder(self, arguments: Namespace) -> Path:
        return arguments.run_dir or default_run_dir(arguments.corpus, self.name)

    def settings(self, arguments: Namespace) -> Mapping[str, TranslatorSettings]:
        """The settings that are compared, by label."""
        raise NotImplementedError

    def labels(self, arguments: Namespace) -> list[str]:
        return list(self.settings(arguments))

    def corpus(self, arguments: Namespace):
        """What all of them are trained and measured on."""
        return load_corpus_of(arguments)

    def train(self, arguments: Namespace, run: Run) -> bool:
        from tf_models.tasks.translation.train import prepare_training
        from tf_models.training.run_directory import RunDirectory

        settings, corpus = self.settings(arguments)[run.label], self.corpus(arguments)
        options = {"data_dir": arguments.data_dir, "minutes": arguments.minutes}
        training = prepare_training(RunDirectory(run.path), corpus, settings, run.seed, **options)
        return training.fit()
