"""What the command lines about a translator's training have in common."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from tf_models.command_line import (
    Parser,
    add_run_arguments,
    add_settings,
    given_settings,
    quiet_tensorflow,
    refuse_options,
)
from tf_models.data.text.corpus_files import short_name
from tf_models.errors import InputError
from tf_models.tasks.translation.architectures import ARCHITECTURES
from tf_models.tasks.translation.presets import FINE_TUNING, PRESETS, preset
from tf_models.tasks.translation.settings import TranslatorSettings

DEFAULT_PRESET, DEFAULT_MODEL = "toy", "transformer"
FROM_SCRATCH = ("preset", "pretrained_vectors")  # not for weights that are trained
FOR_SENTENCES = ("languages", "max_pairs")  # not for ids
SECTIONS = ("tokenizer", "batching", "optimizer", "training", "decoding")
# Settings without an option: they follow from others (see `_implied`), or are a preset's.
IMPLIED = ("positions", "max_lengths", "padded", "tie_embeddings", "mimetic_initialisation")
MAX_LENGTHS = "64 (toy); 41 and 42 (article); 100 (best); in translation 128"


def make_training_parser(
    description: str, examples: str, run_dir: str, *, names_model: bool = True
) -> Parser:
    """A parser of all options of a translator's training.

    Args:
        run_dir: how the default run directory is named.
        names_model: whether there is --model.
    """
    parser = Parser(description, examples)
    add_data_arguments(parser, several=True)
    run = add_run_arguments(parser, run_dir)
    run.add_argument(
        "--preset",
        default=DEFAULT_PRESET,
        help="settings to start from: toy (for the embedded corpus), article, or best (for real "
        f"sentences); default: {DEFAULT_PRESET}",
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
            dest="architecture",
            default=DEFAULT_MODEL,
            metavar="NAME",
            help=f"{', '.join(ARCHITECTURES)}; default: {DEFAULT_MODEL}",
        )
    _add_model_settings(parser)
    return parser


def add_data_arguments(parser: Parser, several: bool = False) -> None:
    """--corpus, one or several, and how to read it."""
    data = parser.add_argument_group("data")
    forms = (
        "toy (default), everyday, tatoeba, multi30k, a tab-separated file, SOURCE,TARGET files, a "
        "folder in Multi30k's layout, tfds:NAME/CONFIG, or a folder of prepare_corpus.py"
    )
    if several:
        forms += "; name several, but for the last kind, to train on all of them together"
    options = {"default": ["toy"], "nargs": "+"} if several else {"default": "toy"}
    data.add_argument("--corpus", metavar="NAME", help=forms, **options)
    data.add_argument(
        "--languages",
        type=_language_pair,
        metavar="SOURCE-TARGET",
        help="en-es, de-en …; default: as the corpus says",
    )
    data.add_argument("--data-dir", type=Path, help="folder of downloads and TFDS data sets")
    data.add_argument(
        "--max-pairs", type=int, metavar="N", help="train on at most N pairs of each corpus"
    )


def _language_pair(text: str) -> tuple[str, str]:
    """ "en-de"; or "pt-br,en", where a code has a hyphen."""
    codes = text.split("," if "," in text else "-")
    if len(codes) != 2 or not all(codes):
        raise argparse.ArgumentTypeError(f"must be as en-de; received {text!r}")
    return codes[0], codes[1]


def add_max_length(group) -> None:
    """--max-length, in place of the settings that depend on it."""
    group.add_argument(
        "--max-length",
        type=int,
        metavar="TOKENS",
        help="longest sentence, in training and in translation, start and end included; "
        f"default: {MAX_LENGTHS}",
    )


def max_lengths(arguments: argparse.Namespace) -> dict[str, object]:
    """What --max-length says of batches."""
    if arguments.max_length is None:
        return {}
    return {"max_lengths": (arguments.max_length, arguments.max_length), "padded": False}


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
    """The settings of a preset, or of a trained run, changed as the command line says.

    Args:
        trained: those of the run of --start-from.

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
    parts = [label, name] if model == DEFAULT_MODEL else [label, name, model]
    return Path("runs") / "-".join(parts)


def load_corpus_of(arguments: argparse.Namespace):
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
