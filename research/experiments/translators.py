"""Options, corpus and training that experiments with translators share."""

from argparse import ArgumentParser
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from research.command import add_settings
from research.experiments.recipe import Recipe, Run
from tf_models.data.corpora import Corpus, load_corpora
from tf_models.translation.settings import TranslatorSettings, preset

if TYPE_CHECKING:
    from tf_models.transformer.model import Transformer


class TranslatorRecipe(Recipe):
    """Trainings of one corpus that differ in some settings.

    preset: of the settings.
    changes: of its settings, unless --set says others.
    max_pairs: of the corpus.
    """

    preset = "toy"
    changes: Mapping[str, object] = {}
    max_pairs: int | None = None

    @classmethod
    def add_options(cls, parser: ArgumentParser) -> None:
        parser.add_argument("--corpus", nargs="+", default=["toy"], help="default: toy")
        parser.add_argument("--data-dir", type=Path, help="folder of downloads")
        parser.add_argument("--max-pairs", type=int, default=cls.max_pairs, metavar="N")
        parser.add_argument("--preset", default=cls.preset, help=f"default: {cls.preset}")
        add_settings(parser, "epochs=2 precision=mixed_bfloat16")

    def preset_settings(self, model: str = "transformer") -> TranslatorSettings:
        """The preset's settings for a model, with the changes of the experiment and of --set."""
        settings = preset(self.arguments.preset, model)
        return settings.changed(**{**self.changes, **dict(self.arguments.set)})

    def settings(self) -> Mapping[str, TranslatorSettings]:
        """The settings that are compared, by label."""
        raise NotImplementedError

    def labels(self) -> list[str]:
        return list(self.settings())

    @cached_property
    def corpus(self) -> Corpus:
        """The sentence pairs that all of them are trained and measured on."""
        data_dir, max_pairs = self.arguments.data_dir, self.arguments.max_pairs
        return load_corpora(self.arguments.corpus, data_dir=data_dir, max_pairs=max_pairs)

    def train(self, run: Run) -> None:
        train_network(run, self.corpus, self.settings()[run.label])


def train_network(
    run: Run,
    corpus: Corpus,
    settings: TranslatorSettings,
    network: "type[Transformer] | None" = None,
) -> None:
    """Train a translator to its end; a Transformer of this class, or the article's."""
    from tf_models.transformer.model import Transformer
    from tf_models.translation.train import train_translator

    training = train_translator(
        run.path, corpus, settings, run.seed, transformer_class=network or Transformer, fit=False
    )
    training.fit()
