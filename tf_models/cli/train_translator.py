"""Train a translator, then score it, translate with it and draw its attention.

  tf-models train-translator
      the embedded corpus, in minutes
  tf-models train-translator --corpus own.tsv --languages en-es
      your own pairs, a sentence, a tab and its translation on each line
  tf-models train-translator --start-from ready-made --corpus own.tsv
      the same, from the translator of the package
  tf-models train-translator --corpus toy deu.txt --preset best --epochs 10
      two corpora together; validated and scored apart
  tf-models train-translator --corpus multi30k --data-dir data --preset article
      Multi30k, with the settings of the article
  tf-models train-translator --model rnn-attention
      a recurrent encoder and decoder with Bahdanau's attention
  tf-models train-translator --network rotary
  tf-models train-translator --network my_module:MyTransformer
      a variant of the Transformer, or a class of your own in my_module.py (docs/training.md)
  tf-models train-translator --corpus tfds:ted_hrlr_translate/pt_to_en
      a translation set of TensorFlow Datasets

Ctrl-C saves; the same command resumes. Which options there are depends on --model.
"""

from pathlib import Path
from typing import Annotated, Any, Literal

import tyro
from pydantic import BaseModel, Field

from tf_models.cli.arguments import RunArguments
from tf_models.cli.command_line import parse, parse_some, quiet_tensorflow
from tf_models.data.corpora import EMBEDDED
from tf_models.data.corpus_files import short_name
from tf_models.training.run_directory import RunDirectory
from tf_models.training.settings import MaxLength, Size
from tf_models.translation.ready_made import run_dir_of
from tf_models.translation.settings import (
    ARCHITECTURES,
    TRANSFORMER,
    Preset,
    TranslatorSettings,
    fine_tuning,
    preset,
)

Model = Annotated[
    str,
    tyro.conf.arg(
        aliases=["--network"],
        help=f"{', '.join(ARCHITECTURES)}; or module:Class, a Transformer of your own.",
    ),
]


class Start(RunArguments):
    """The arguments that settings depend on."""

    corpus: tuple[str, ...] = ("toy",)
    """toy, everyday, tatoeba, multi30k, a tab-separated file, SOURCE,TARGET files (their names may
    have commas), a folder in Multi30k's layout, or tfds:NAME/CONFIG; name several to train on all
    of them together."""
    preset: Preset | None = None
    """Settings to start from, a file in tf_models/translation/presets; if left out, toy for
    embedded corpora, and best for your own sentences."""
    model: Model = TRANSFORMER
    start_from: str | None = None
    """Run directory of a translator, or ready-made, the one of the package: start with its
    tokenizers, model and weights, in place of a preset."""
    max_length: MaxLength | None = None
    """Tokens of the longest sentence, in training and in translation, start and end included: sets
    --max-lengths and --positions."""

    @property
    def chosen_preset(self) -> Preset:
        """The preset that was named, or that suits the corpus."""
        suited: Preset = "toy" if any(name in EMBEDDED for name in self.corpus) else "best"
        return self.preset or suited

    @property
    def run(self) -> RunDirectory:
        """Where to train; by default runs/CORPUS-PRESET, with the model if it is another one."""
        corpus = "+".join(map(short_name, self.corpus))
        parts = [corpus, "fine-tuned" if self.start_from else self.chosen_preset]
        parts += [] if self.model == TRANSFORMER else [self.model.replace(":", "-")]
        return RunDirectory(self.run_dir or Path("runs") / "-".join(parts))


class Deciding(BaseModel):
    """Settings that decide about others."""

    batch_size: int = 0
    batch_tokens: int = 0
    tokenizer: Literal["separate", "joint", "bpemb"] | None = None


def default_settings(start: Start, deciding: Deciding) -> TranslatorSettings:
    """The settings where no option says otherwise: those of the preset, or of the trained run with
    what fine-tuning changes; then what the options imply.
    """
    if start.start_from:
        trained = RunDirectory(run_dir_of(start.start_from))
        run = start.run if start.run.has_checkpoints else trained
        with run.reading("translator") as config:
            settings = fine_tuning(TranslatorSettings.from_config(config))
    else:
        settings = preset(start.chosen_preset, start.model)
    implied: dict[str, Any] = {}
    if start.max_length:
        lengths = (start.max_length, start.max_length)
        implied |= {"max_lengths": lengths, "positions": start.max_length}
    if deciding.batch_size or deciding.batch_tokens:  # a batch has a number of pairs or of tokens
        implied |= {"batch_size": deciding.batch_size, "batch_tokens": deciding.batch_tokens}
        implied |= {"padded": False} if deciding.batch_tokens else {}
    if deciding.tokenizer:  # one tokenizer for both languages, one table of embeddings
        joint = deciding.tokenizer == "joint"
        implied |= {"tokenizer": deciding.tokenizer, "tie_embeddings": joint}
        implied |= {} if joint else {"mimetic_initialisation": False}
    names = settings.flat().keys()
    return settings.changed(**{name: implied[name] for name in implied.keys() & names})


class Arguments(Start):
    """All arguments."""

    languages: Annotated[str, Field(pattern="^([^,-]+-[^,]+|[^,]+,[^,]+)$")] | None = None
    """SOURCE-TARGET: en-es, en-pt-br …, or pt-br,en; if left out, as the corpus says."""
    max_pairs: Size | None = None
    """Train on at most so many pairs of each corpus."""
    settings: TranslatorSettings = TranslatorSettings()

    @property
    def language_pair(self) -> tuple[str, str] | None:
        """Source and target of --languages."""
        if self.languages is None:
            return None
        source, target = self.languages.split("," if "," in self.languages else "-", 1)
        return source, target


def main() -> None:
    start, deciding = parse_some(Start), parse_some(Deciding)
    arguments = parse(Arguments, Arguments(settings=default_settings(start, deciding)))
    with quiet_tensorflow():
        from tf_models.translation.train import train
    if arguments.preset is None and not arguments.start_from:
        print(f"preset {arguments.chosen_preset}; --preset names another")
    train(
        arguments.run,
        arguments.corpus,
        arguments.settings,
        arguments.seed,
        languages=arguments.language_pair,
        max_pairs=arguments.max_pairs,
        data_dir=arguments.data_dir,
        start_from=arguments.start_from,
        minutes=arguments.minutes,
    )
