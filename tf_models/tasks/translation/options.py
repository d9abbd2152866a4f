"""What the command lines about a translator's training have in common."""

import argparse
from pathlib import Path

from tf_models.command_line import (
    Parser,
    add_run_arguments,
    add_settings,
    given_settings,
    quiet_tensorflow,
    refuse_options,
)
from tf_models.files import resolve
from tf_models.tasks.translation.architectures import ARCHITECTURES
from tf_models.tasks.translation.presets import PRESETS, preset
from tf_models.tasks.translation.settings import TranslatorSettings

DEFAULT_MODEL = "transformer"
MEMORY_PER_BYTE = 16  # of a corpus' text, while it is tokenised in memory
MEMORY_PER_BYTE_READ = 5  # while it is only read
FOR_SENTENCES = ("source_language", "target_language", "max_pairs")  # not for ids
SECTIONS = ("tokenizer", "batching", "optimizer", "training", "decoding")


def make_training_parser(
    description: str, examples: str, run_dir: str, *, names_model: bool = True
) -> Parser:
    """A parser of everything that a translator's training can be told.

    Args:
        description: of the script.
        examples: of the script.
        run_dir: how the default run directory is named.
        names_model: whether there is --model.
    """
    parser = Parser(description, examples)
    add_data_arguments(parser)
    run = add_run_arguments(parser, run_dir)
    run.add_argument(
        "--preset",
        default="toy",
        help="settings to start from: toy (for the embedded corpus), article, or best (for real "
        "sentences); default: %(default)s",
    )
    run.add_argument("--bpemb-cache", type=Path, help="folder of BPEmb's files")
    for section in SECTIONS:
        group = parser.add_argument_group(section)
        add_settings(group, {name: getattr(one, section) for name, one in PRESETS.items()})
    if names_model:
        parser.add_argument_group("model").add_argument(
            "--model",
            dest="architecture",
            default=DEFAULT_MODEL,
            metavar="NAME",
            help=f"{', '.join(ARCHITECTURES)}; default: %(default)s",
        )
    _add_model_settings(parser)
    return parser


def add_data_arguments(parser: Parser) -> None:
    """--corpus, and how to read it."""
    data = parser.add_argument_group("data")
    data.add_argument(
        "--corpus",
        default="toy",
        help="toy (default), tatoeba, multi30k, a tab-separated file, SOURCE,TARGET "
        "files, a folder in Multi30k's layout, tfds:NAME/CONFIG, or a folder of prepare_corpus.py",
    )
    data.add_argument("--source-language", metavar="CODE", help="en, de, es …")
    data.add_argument("--target-language", metavar="CODE")
    data.add_argument("--data-dir", type=Path, help="folder of downloads and TFDS data sets")
    data.add_argument("--max-pairs", type=int, metavar="N", help="train on at most N pairs")


def _add_model_settings(parser: Parser) -> None:
    """The settings of every architecture; those of one name are one option."""
    there: set[str] = set()
    for name, one in ARCHITECTURES.items():
        group = parser.add_argument_group(name)
        settings = {preset_name: one.settings_for(preset_name) for preset_name in PRESETS}
        add_settings(group, settings, leave_out=there)
        there |= one.settings.flat().keys()


def settings_from(arguments: argparse.Namespace) -> TranslatorSettings:
    """The settings of a preset, changed as the command line says.

    Raises:
        InputError: there is no such preset or model, or an option makes no sense for it.
    """
    settings = preset(arguments.preset, arguments.architecture)
    others = [one.settings for one in ARCHITECTURES.values()]
    given = given_settings(arguments, settings, *others)
    foreign = given.keys() - settings.flat().keys()
    refuse_options(f"--model {arguments.architecture}", sorted(foreign))
    return settings.changed(**given)


def default_run_dir(corpus: str, name: str, model: str = DEFAULT_MODEL) -> Path:
    """Where to train if nothing is said: runs/CORPUS-NAME, with the model if it is another one."""
    if corpus.startswith("tfds:"):
        label = corpus.removeprefix("tfds:").replace("/", "-")
    else:
        label = resolve(corpus.split(",")[0]).name.split(".")[0]
    parts = [label, name] if model == DEFAULT_MODEL else [label, name, model]
    return Path("runs") / "-".join(parts)


def load_corpus_of(arguments: argparse.Namespace):
    """The corpus of the command line.

    Raises:
        InputError: it cannot be used, or does not fit into memory.
    """
    with quiet_tensorflow():
        from tf_models.data.text.corpora import load_corpus
        from tf_models.data.text.room import check_memory, training_bytes
        from tf_models.tasks.translation.prepared import is_prepared, load_prepared
    print(f"loading corpus {arguments.corpus}")
    if is_prepared(arguments.corpus):
        given = [name for name in FOR_SENTENCES if getattr(arguments, name) is not None]
        refuse_options(f"--corpus {arguments.corpus}, which is prepared,", given)
        return load_prepared(Path(arguments.corpus))
    # All pairs of files are read before some are chosen; of TFDS only so many are read at all.
    if arguments.max_pairs is None or not arguments.corpus.startswith("tfds:"):
        per_byte = MEMORY_PER_BYTE if arguments.max_pairs is None else MEMORY_PER_BYTE_READ
        needed = per_byte * training_bytes(arguments.corpus, arguments.data_dir)
        check_memory(needed, "prepare the corpus first (scripts/prepare_corpus.py)")
    return load_corpus(
        arguments.corpus,
        source_language=arguments.source_language,
        target_language=arguments.target_language,
        data_dir=arguments.data_dir,
        max_pairs=arguments.max_pairs,
        seed=arguments.seed,
    )
