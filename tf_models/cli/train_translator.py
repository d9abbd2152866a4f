"""Train a translator, then score it and translate with it.

$ tf-models train-translator
    the embedded corpus, in minutes
$ tf-models train-translator --corpus own.tsv --languages en-es
    your own pairs, a sentence, a tab and its translation on each line
"""

import shlex
from pathlib import Path
from typing import Annotated

import tyro

from tf_models.cli.command_line import RunArguments, parse_known, parse_training, quiet_tensorflow
from tf_models.data.corpora import EMBEDDED, check_exist, short_name
from tf_models.errors import InputError
from tf_models.training.run_directory import RunDirectory
from tf_models.training.settings import MaxLength, Size
from tf_models.translation.settings import (
    ARCHITECTURES,
    TRANSFORMER,
    Preset,
    TranslatorSettings,
    fine_tuning,
    preset,
    run_dir_of,
)

Model = Annotated[str, tyro.conf.arg(aliases=["--network"], help=f"{', '.join(ARCHITECTURES)}.")]


class Start(RunArguments):
    """Arguments that decide which settings there are."""

    corpus: tuple[str, ...] = ("toy",)
    """toy, everyday, tatoeba, multi30k, a .tsv or .csv file, SOURCE,TARGET files, a folder in
    Multi30k's layout, or tfds:NAME/CONFIG; name several to train on all of them together."""
    preset: Preset | None = None
    """Settings to start from, a file in tf_models/translation/presets; if left out, toy for
    embedded corpora, and best for your own sentences."""
    model: Model = TRANSFORMER
    start_from: str | None = None
    """Run directory of a translator, or ready-made, the one of the package: start with its
    tokenizers, model and weights, in place of a preset."""
    max_length: MaxLength | None = None
    """Tokens of the longest sentence, in training and in translation, start and end included: sets
    --max-lengths and --positions; with --start-from only --max-lengths."""

    @property
    def chosen_preset(self) -> Preset:
        """The preset that was named, or that suits the corpus."""
        suited: Preset = "toy" if any(name in EMBEDDED for name in self.corpus) else "best"
        return self.preset or suited

    @property
    def chosen_run_dir(self) -> Path:
        """Run directory; by default runs/CORPUS-PRESET[-MODEL] or -fine-tuned."""
        corpus = "+".join(map(short_name, self.corpus))
        parts = [corpus, "fine-tuned" if self.start_from else self.chosen_preset]
        parts += [] if self.model == TRANSFORMER else [self.model]
        return self.run_in("-".join(parts))


def default_settings(start: Start) -> TranslatorSettings:
    """Default settings: the preset's, or a trained run's after `fine_tuning`."""
    if start.start_from:
        if start.preset or start.model != TRANSFORMER:
            raise InputError("--start-from keeps the trained model; leave out --preset and --model")
        trained = RunDirectory(run_dir_of(start.start_from))
        new = RunDirectory(start.chosen_run_dir)
        run = new if new.has_checkpoints else trained
        config = run.read_config("translator")
        settings = fine_tuning(TranslatorSettings.from_config(config))
    else:
        settings = preset(start.chosen_preset, start.model)
    if start.max_length:
        changes = {} if start.start_from else {"positions": start.max_length}
        return settings.changed(max_lengths=(start.max_length, start.max_length), **changes)
    return settings


class Arguments(Start):
    languages: str | None = None
    """SOURCE-TARGET: en-es, en-pt-br …, or pt-br,en; if left out, as the corpus says."""
    data_dir: Path | None = None
    """Folder of downloads and TFDS data sets."""
    max_pairs: Size | None = None
    """Train on at most so many pairs of each corpus."""
    settings: TranslatorSettings = TranslatorSettings()

    @property
    def language_pair(self) -> tuple[str, str] | None:
        """Source and target of --languages."""
        if self.languages is None:
            return None
        source, _, target = self.languages.partition("," if "," in self.languages else "-")
        if not (source and target) or "," in target:
            raise InputError(f"--languages needs two, such as en-es; received {self.languages!r}")
        return source, target


def main() -> None:
    settings = default_settings(parse_known(Start))
    arguments = parse_training(Arguments, settings)
    check_exist(arguments.corpus)  # refused before TensorFlow starts
    with quiet_tensorflow():
        from tf_models.translation.train import train_translator
    train_translator(
        arguments.chosen_run_dir,
        arguments.corpus,
        arguments.settings,
        seed=arguments.seed,
        languages=arguments.language_pair,
        max_pairs=arguments.max_pairs,
        data_dir=arguments.data_dir,
        start_from=arguments.start_from,
        minutes=arguments.minutes,
    )
    run_dir = shlex.quote(str(arguments.chosen_run_dir))
    print(f'\nto translate: tf-models translate --run-dir {run_dir} "…"')
