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
from typing import Annotated, Any

import tyro
from pydantic import BaseModel, Field

from tf_models.cli.arguments import RunArguments
from tf_models.cli.command_line import parse, parse_some, quiet_tensorflow, train_to_end
from tf_models.data.corpora import EMBEDDED
from tf_models.data.corpus_files import short_name
from tf_models.training.run_directory import RunDirectory
from tf_models.training.settings import MaxLength, Size
from tf_models.translation.arguments import READY_MADE, RUN_DIR
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
    """Options that decide about others, where these are not given."""

    batch_size: int = 0
    batch_tokens: int = 0
    tokenizer: str | None = None

    def imply(self, settings: TranslatorSettings) -> TranslatorSettings:
        """The settings that --help shows: a batch counts pairs or tokens, and one tokenizer for
        both languages means one table of embeddings.
        """
        implied: dict[str, Any] = {}
        if self.batch_size or self.batch_tokens:
            implied = {"batch_size": self.batch_size, "batch_tokens": self.batch_tokens}
            implied |= {"padded": False} if self.batch_tokens else {}
        if self.tokenizer:
            implied |= {"tokenizer": self.tokenizer, "tie_embeddings": self.tokenizer == "joint"}
            if self.tokenizer != "joint":
                implied["mimetic_initialisation"] = False
        return settings.changed(**{n: v for n, v in implied.items() if n in settings.flat()})


class Arguments(Start):
    """All arguments."""

    languages: Annotated[str, Field(pattern="^([^,-]+-[^,-]+|[^,]+,[^,]+)$")] | None = None
    """SOURCE-TARGET: en-es, de-en …, or pt-br,en; if left out, as the corpus says."""
    max_pairs: Size | None = None
    """Train on at most so many pairs of each corpus."""
    max_length: MaxLength | None = None
    """Tokens of the longest sentence, in training and in translation, start and end included: sets
    --max-lengths and --positions."""
    settings: TranslatorSettings = TranslatorSettings()

    @property
    def all_settings(self) -> TranslatorSettings:
        """The settings, with --max-length."""
        if self.max_length is None:
            return self.settings
        lengths = (self.max_length, self.max_length)
        return self.settings.changed(max_lengths=lengths, positions=self.max_length)

    @property
    def language_pair(self) -> tuple[str | None, str | None]:
        """Source and target of --languages."""
        if self.languages is None:
            return None, None
        source, target = self.languages.split("," if "," in self.languages else "-")
        return source, target


def main() -> None:
    start = parse_some(Start)
    settings = parse_some(Deciding).imply(settings_to_start_from(start))
    arguments = parse(Arguments, Arguments(settings=settings))
    settings, run, languages = arguments.all_settings, arguments.run, arguments.language_pair
    with quiet_tensorflow():
        from tf_models.data.corpora import load_corpora
        from tf_models.training.strategy import make_strategy
        from tf_models.translation.train import StartingPoint, prepare_training
    if arguments.preset is None and not arguments.start_from:
        print(f"preset {arguments.chosen_preset}; --preset names another")
    strategy = make_strategy()
    start_from = None
    if arguments.start_from:
        start_from = StartingPoint.of(arguments.start_from, run)
        languages = languages if arguments.languages else start_from.languages
    print(f"loading corpus {', '.join(arguments.corpus)}")
    corpus = load_corpora(
        arguments.corpus,
        languages=languages,
        data_dir=arguments.data_dir,
        max_pairs=arguments.max_pairs,
        seed=arguments.seed,
    )
    training = prepare_training(
        run,
        corpus,
        settings,
        arguments.seed,
        data_dir=arguments.data_dir,
        start_from=start_from,
        strategy=strategy,
        minutes=arguments.minutes,
    )
    source, target = next(iter(training.batches.batches_from(0, 0, 1)))
    print(f"first batch: source {tuple(source.shape)}, target {tuple(target.shape)}")

    def report() -> None:
        from tf_models.translation.report import report_training  # late: it draws

        report_training(training, corpus)

    train_to_end(training, report)


def settings_to_start_from(start: Start) -> TranslatorSettings:
    """Those of the preset, or of the trained run with what fine-tuning changes."""
    if not start.start_from:
        return preset(start.chosen_preset, start.model)
    trained = RUN_DIR if start.start_from == READY_MADE else Path(start.start_from)
    run = start.run if start.run.has_checkpoints else RunDirectory(trained)
    return fine_tuning(TranslatorSettings.from_config(run.read_config("translator")))
