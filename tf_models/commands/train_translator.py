"""Train a translator, then score it, translate with it and draw its attention."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tf_models.command_line import (
    Parser,
    add_run_arguments,
    add_settings,
    given_settings,
    quiet_tensorflow,
    refuse_options,
    train_to_end,
)
from tf_models.data.text.corpus_files import short_name
from tf_models.errors import InputError
from tf_models.tasks.translation.architectures import ARCHITECTURES, NETWORKS, check_network
from tf_models.tasks.translation.options import add_data_arguments, add_max_length, max_lengths
from tf_models.tasks.translation.presets import FINE_TUNING, PRESETS, epochs_for, preset, preset_for
from tf_models.tasks.translation.settings import TranslatorSettings

EXAMPLES = """\
  tf-models train-translator
      the embedded corpus, in minutes
  tf-models train-translator --corpus own.tsv --languages en-es
      your own pairs, a sentence, a tab and its translation on each line
  tf-models train-translator --start-from ready-made --corpus own.tsv
      the same, from the translator of the package
Ctrl-C saves; the same command goes on where it stopped."""
MORE = """\
  tf-models train-translator --corpus deu.txt --run-dir runs/deu --epochs 10
      sentence pairs from manythings.org
  tf-models train-translator --corpus toy deu.txt --preset best --epochs 10
      two corpora together; validated and scored apart
  tf-models train-translator --corpus multi30k --data-dir data --preset article
      Multi30k, with the settings of the article
  tf-models train-translator --corpus multi30k --preset best
      Multi30k as well as an hour or two on two cores allow
  tf-models train-translator --start-from runs/toy-toy --corpus own.tsv toy
      sentences of your own, and what the trained translator knew is not forgotten
  tf-models train-translator --model rnn-attention
      a recurrent encoder and decoder with Bahdanau's attention
  tf-models train-translator --network rotary
  tf-models train-translator --network my_module:MyTransformer
      a variant of the Transformer, or a class of your own in my_module.py (docs/training.md)
  tf-models train-translator --corpus tfds:ted_multi_translate --languages en-de
      a translation set of TensorFlow Datasets"""
COMMON = {
    "--corpus": "toy (default), everyday, tatoeba, multi30k, a tab-separated file, ...",
    "--languages": "",
    "--preset": "",
    "--start-from": "begin with this trained run, or with ready-made",
    "--run-dir": "where to train; default: runs/CORPUS-PRESET",
    "--epochs": "passes over the corpus",
    "--minutes": "end after so long",
    "--model": "transformer (default), rnn-attention, rnn, rotary ..., or my_module:MyTransformer",
    "--num-layers": "of encoder and of decoder",
    "--num-heads": "of each attention block",
    "--peak": "highest learning rate",
}

DEFAULT_PRESET, DEFAULT_MODEL = "toy", "transformer"
FROM_SCRATCH = ("preset", "pretrained_vectors")  # not for weights that are trained
FOR_SENTENCES = ("languages", "max_pairs")  # not for ids
SECTIONS = ("tokenizer", "batching", "optimizer", "training", "decoding")
# Settings without an option: they follow from others (see `_implied`), or are a preset's.
IMPLIED = ("positions", "max_lengths", "padded", "tie_embeddings", "mimetic_initialisation")


def make_parser() -> Parser:
    folder = "runs/CORPUS-PRESET, or runs/CORPUS-PRESET-MODEL of a model that is no transformer"
    parser = make_training_parser(__doc__, EXAMPLES, folder, MORE)
    parser.common = COMMON
    parser.add_argument_group("further training").add_argument(
        "--start-from",
        metavar="RUN_DIR",
        help="start with tokenizers, model and weights of this translator (ready-made is the one "
        "that comes with the package), in place of a preset: "
        f"{FINE_TUNING['epochs']} epochs, peak {FINE_TUNING['peak']} unless you say others",
    )
    parser.set_defaults(preset=None, architecture=None)  # or they would overrule that run's
    return parser


def main(arguments: argparse.Namespace) -> None:
    follows_corpus = not (arguments.preset or arguments.start_from)
    if follows_corpus:
        arguments.preset, why = preset_for(arguments.corpus)
        print(f"preset {arguments.preset}, {why}; --preset names another")
    name = arguments.preset or "fine-tuned"
    model = arguments.architecture or DEFAULT_MODEL
    run_dir = arguments.run_dir or default_run_dir(arguments.corpus, name, model)
    settings: Any = None if arguments.start_from else settings_from(arguments)
    with quiet_tensorflow():
        from tf_models.tasks.translation.run import KIND
        from tf_models.tasks.translation.train import StartingPoint, prepare_training
        from tf_models.training.distributed.strategies import make_strategy
        from tf_models.training.run_directory import RunDirectory
    strategy = make_strategy()
    run_directory = RunDirectory(run_dir)
    run_directory.check_place(KIND)  # a large corpus takes minutes
    start_from = None
    if arguments.start_from:
        start_from = StartingPoint.of(arguments.start_from, run_directory)
        settings = settings_from(arguments, start_from.settings)
        arguments.languages = arguments.languages or start_from.languages
    check_network(settings.architecture)
    corpus = load_corpus_of(arguments)
    if follows_corpus and arguments.epochs is None:
        read = corpus.train if corpus.encoded is None else corpus.encoded
        settings = epochs_for(settings, len(read))
    training = prepare_training(
        run_directory,
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
        from tf_models.tasks.translation.report import report_training  # late: it draws

        report_training(training)

    train_to_end(training, report)


def make_training_parser(
    description: str, examples: str, run_dir: str, more: str = "", *, names_model: bool = True
) -> Parser:
    """A parser of all options of a translator's training; `run_dir` names the default directory."""
    parser = Parser(description, examples, more)
    add_data_arguments(parser, several=True)
    run = add_run_arguments(parser, run_dir)
    run.add_argument(
        "--preset",
        default=DEFAULT_PRESET,
        metavar="NAME",
        help="settings to start from: toy (embedded corpora), article, best (own sentences); "
        "default: what suits the corpus",
    )
    for section in SECTIONS:
        group = parser.add_argument_group(section)
        settings = {name: getattr(one, section) for name, one in PRESETS.items()}
        add_settings(group, settings, leave_out=IMPLIED)
        if section == "batching":
            add_max_length(group)
    if names_model:
        parser.add_argument_group("model").add_argument(
            "--model",
            "--network",
            dest="architecture",
            default=DEFAULT_MODEL,
            metavar="NAME",
            help=f"{', '.join(ARCHITECTURES)}; a variant of the transformer: "
            f"{', '.join(NETWORKS)}; or module:Class, a Transformer of your own; default: "
            f"{DEFAULT_MODEL}",
        )
    _add_model_settings(parser)
    return parser


def _implied(arguments: argparse.Namespace) -> dict[str, object]:
    """Settings that follow from what the command line gave, by name."""
    implied = max_lengths(arguments)
    if implied:
        implied["positions"] = arguments.max_length
    if arguments.batch_size is not None:
        implied["batch_tokens"] = 0
    if arguments.batch_tokens:
        implied["padded"] = False
    if arguments.tokenizer is not None:  # one table for both languages needs the same ids
        implied["tie_embeddings"] = arguments.tokenizer == "joint"
        if arguments.tokenizer != "joint":
            implied["mimetic_initialisation"] = False
    return implied


def _add_model_settings(parser: Parser) -> None:
    """The settings of every architecture; those of one name are one option."""
    there = set(IMPLIED)
    for name, one in ARCHITECTURES.items():
        group = parser.add_argument_group(name)
        settings = {preset_name: one.settings_for(preset_name) for preset_name in PRESETS}
        add_settings(group, settings, leave_out=there)
        there |= one.settings.flat().keys()


def settings_from(
    arguments: argparse.Namespace, trained: TranslatorSettings | None = None
) -> TranslatorSettings:
    """The settings of a preset, or of the `trained` run of --start-from, changed as the command
    line says.

    Raises:
        InputError: there is no such preset or model, or an option makes no sense for it.
    """
    if trained:
        refuse_options("--start-from", [n for n in FROM_SCRATCH if getattr(arguments, n)])
        settings = trained.changed(**FINE_TUNING)
    else:
        settings = preset(
            arguments.preset or DEFAULT_PRESET, arguments.architecture or DEFAULT_MODEL
        )
    others = [one.settings for one in ARCHITECTURES.values()]
    given, own = given_settings(arguments, settings, *others), settings.flat().keys()
    refuse_options(f"--model {settings.architecture}", sorted(given.keys() - own))
    if arguments.batch_size is not None and arguments.batch_tokens is not None:
        raise InputError("--batch-size and --batch-tokens exclude each other; leave one out")
    free = own - trained.model.flat().keys() if trained else own
    implied = {name: value for name, value in _implied(arguments).items() if name in free}
    return settings.changed(**{**implied, **given})


def default_run_dir(corpora: Sequence[str], name: str, model: str = DEFAULT_MODEL) -> Path:
    """Where to train if nothing is said: runs/CORPUS-NAME, with the model if it is another one."""
    label = "+".join(map(short_name, corpora))
    parts = [label, name] if model == DEFAULT_MODEL else [label, name, model.replace(":", "-")]
    return Path("runs") / "-".join(parts)


def load_corpus_of(arguments: argparse.Namespace) -> Any:
    """The corpus of the command line, or all of them together.

    Raises:
        InputError: one cannot be used, or they do not fit into memory together.
    """
    names = arguments.corpus
    with quiet_tensorflow():
        from tf_models.data.large.prepared import is_prepared, load_prepared
        from tf_models.data.text.mixed import load_corpora
    print(f"loading corpus {', '.join(names)}")
    for name in filter(is_prepared, names):
        if len(names) > 1:
            raise InputError(f"{name} is prepared; name it alone, or name what it was made of")
        given = [option for option in FOR_SENTENCES if getattr(arguments, option) is not None]
        refuse_options(f"--corpus {name}, which is prepared,", given)
        return load_prepared(Path(name))
    return load_corpora(
        names,
        languages=arguments.languages or (None, None),
        data_dir=arguments.data_dir,
        max_pairs=arguments.max_pairs,
        seed=arguments.seed,
    )
