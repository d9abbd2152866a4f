"""What the command lines about a classifier's training have in common."""

import argparse
from collections.abc import Collection, Mapping
from pathlib import Path

from tf_models.command_line import (
    Parser,
    add_run_arguments,
    add_sections,
    given_settings,
    quiet_tensorflow,
)
from tf_models.data.embedded.annotated_pairs import LABELS
from tf_models.errors import InputError
from tf_models.files import resolve
from tf_models.tasks.classification.settings import (
    CLASSIFIERS,
    DEFAULT_LABELS,
    OWN_TEXTS,
    ClassifierSettings,
)


def make_training_parser(
    description: str, examples: str, run_dir: str, leave_out: Collection[str] = ("freeze",)
) -> Parser:
    """A parser of everything that a classifier's training can be told.

    Args:
        run_dir: how the default run directory is named.
        leave_out: names of settings that are no options here.
    """
    parser = Parser(description, examples)
    data = parser.add_argument_group("data")
    data.add_argument(
        "--labels",
        help="of the embedded sentences: reference (the noun that it stands for), type (statement, "
        f"question …), voice (active, passive); default: {DEFAULT_LABELS}",
    )
    data.add_argument("--train", type=Path, metavar="F", help="your own lines of label<TAB>text")
    data.add_argument("--test", type=Path, metavar="F", help="default: held out of --train")
    data.add_argument("--tfds", metavar="NAME", help="imdb_reviews, ag_news_subset, …")
    data.add_argument("--data-dir", type=Path, help="folder of TFDS data sets")
    data.add_argument("--max-texts", type=int, metavar="N", help="train on at most N texts")
    group = add_run_arguments(parser, run_dir)
    add_sections(group, CLASSIFIERS, "optimizer", "training", leave_out=leave_out)
    for section in ("text", "model"):
        add_sections(parser.add_argument_group(section), CLASSIFIERS, section)
    return parser


def settings_from(arguments: argparse.Namespace) -> tuple[ClassifierSettings, Mapping[str, object]]:
    """The defaults for the texts, changed as the command line says, and these changes by name.

    Raises:
        InputError: the texts are named in two ways or in none that is known, or an option makes no
            sense.
    """
    sources = [
        f"--{name}" for name in ("labels", "train", "tfds") if getattr(arguments, name) is not None
    ]
    if len(sources) > 1:
        raise InputError(f"{' and '.join(sources)} name texts each; pass one of them")
    if arguments.test and not arguments.train:
        raise InputError("--test belongs to --train; pass that as well")
    if arguments.max_texts is not None and arguments.max_texts < 2:
        raise InputError(f"--max-texts must be at least 2; received {arguments.max_texts}")
    labels = arguments.labels or DEFAULT_LABELS
    if labels not in LABELS:
        raise InputError(f"--labels must be one of {', '.join(LABELS)}; received {labels!r}")
    start = CLASSIFIERS[OWN_TEXTS if arguments.train or arguments.tfds else labels]
    given = given_settings(arguments, start)
    return start.changed(**given), given


def label_of_texts(arguments: argparse.Namespace) -> str:
    """What the texts of the command line are called, for a folder."""
    if arguments.train:
        return resolve(arguments.train).name.split(".")[0]
    if arguments.tfds:
        return arguments.tfds.replace("/", "-")
    return arguments.labels or DEFAULT_LABELS


def load_texts_of(arguments: argparse.Namespace):
    """The labelled texts of the command line."""
    with quiet_tensorflow():
        from tf_models.data.text import labelled
    seed = arguments.seed
    print(f"loading {arguments.train or arguments.tfds or 'the embedded sentences'}")
    if arguments.train:
        texts = labelled.texts_of_files(arguments.train, arguments.test, seed)
    elif arguments.tfds:
        texts = labelled.texts_of_tfds(arguments.tfds, arguments.data_dir, seed)
    else:
        texts = labelled.embedded_texts(arguments.labels or DEFAULT_LABELS)
    if arguments.max_texts is not None and arguments.max_texts < len(texts.train):
        texts = texts.with_fewer(arguments.max_texts, seed)
    print(texts.describe())
    return texts
