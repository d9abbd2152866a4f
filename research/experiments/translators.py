"""What recipes of translators share: options, corpus and training."""

from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path

from research.experiments.recipe import Recipe, Run, add_options
from research.options import Parser, add_run_arguments, add_settings, given_settings
from tf_models.data.text.corpus_files import short_name
from tf_models.tasks.translation.settings import TranslatorSettings, preset

PRESETS = [preset("toy"), preset("toy", "rnn")]  # all names of settings


class TranslatorRecipe(Recipe):
    """Trainings of one corpus that differ in some settings.

    The corpus has --seed, the trainings have --seeds: all of them read the same pairs.
    """

    names_model = True

    def make_parser(self) -> Parser:
        parser = Parser(self.question, self.examples)
        parser.add_argument("--corpus", nargs="+", default=["toy"])
        parser.add_argument("--languages", type=lambda text: tuple(text.split("-")))
        parser.add_argument("--max-pairs", type=int)
        parser.add_argument("--max-length", type=int)
        parser.add_argument("--preset", default="toy")
        if self.names_model:
            parser.add_argument("--model", "--network", dest="architecture", default="transformer")
        add_run_arguments(parser)
        options = [one.model for one in PRESETS]
        sections = ("tokenizer", "batching", "optimizer", "training", "decoding")
        add_settings(parser, *options, *(getattr(PRESETS[0], name) for name in sections))
        add_options(parser)
        return parser

    def folder(self, arguments: Namespace) -> Path:
        corpus = "+".join(map(short_name, arguments.corpus))
        return arguments.run_dir or Path("runs") / f"{corpus}-{self.name}"

    def settings(self, arguments: Namespace) -> Mapping[str, TranslatorSettings]:
        """The settings that are compared, by label."""
        raise NotImplementedError

    def labels(self, arguments: Namespace) -> list[str]:
        return list(self.settings(arguments))

    def corpus(self, arguments: Namespace):
        """What all of them are trained and measured on."""
        from tf_models.data.text.mixed import load_corpora

        return load_corpora(
            arguments.corpus,
            languages=arguments.languages or (None, None),
            data_dir=arguments.data_dir,
            max_pairs=arguments.max_pairs,
            seed=arguments.seed,
        )

    def train(self, arguments: Namespace, run: Run) -> bool:
        from tf_models.tasks.translation.train import prepare_training
        from tf_models.training.run_directory import RunDirectory

        settings, corpus = self.settings(arguments)[run.label], self.corpus(arguments)
        options = {"data_dir": arguments.data_dir, "minutes": arguments.minutes}
        training = prepare_training(RunDirectory(run.path), corpus, settings, run.seed, **options)
        return training.fit()


def settings_from(arguments: Namespace) -> TranslatorSettings:
    """The settings of a preset, changed as the command line says."""
    settings = preset(arguments.preset, arguments.architecture)
    given = given_settings(arguments, *PRESETS)
    del given["architecture"]
    if length := arguments.max_length:
        given = {"max_lengths": (length, length), "positions": length} | given
    return settings.changed(**given)
