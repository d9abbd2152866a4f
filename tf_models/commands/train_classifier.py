"""Train a Transformer classifier, then score it beside baselines and draw its attention."""

import argparse
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from tf_models.command_line import (
    Parser,
    add_run_arguments,
    add_sections,
    given_settings,
    quiet_tensorflow,
    train_to_end,
)
from tf_models.data.embedded.annotated_pairs import LABELS
from tf_models.errors import InputError, check_at_least, check_choice
from tf_models.tasks.classification.settings import (
    CLASSIFIERS,
    DEFAULT_LABELS,
    OWN_TEXTS,
    ClassifierSettings,
)

EXAMPLES = """\
  tf-models train-classifier
      which noun "it" stands for, in sentences of the package; two minutes
  tf-models train-classifier --train train.tsv --test test.tsv
      your own lines of label<TAB>text
  tf-models train-classifier --encoder-from ready-made --freeze --max-texts 1000
      the encoder of the translator of the package, and a new network on it
Ctrl-C saves; the same command goes on where it stopped."""
MORE = """\
  tf-models train-classifier --labels type
      statement, negation, question, command, or a sentence with a subordinate clause
  tf-models train-classifier --encoder-from runs/toy-toy --run-dir runs/fine-tuned
      the encoder of your own translator, and all of it is trained further
  tf-models train-classifier --train tfds:imdb_reviews --data-dir data --max-length 256
      texts of TensorFlow Datasets"""
COMMON = {
    "--labels": "of the embedded sentences: reference (default), type or voice",
    "--train": "",
    "--test": "",
    "--max-texts": "",
    "--run-dir": "",
    "--epochs": "passes over the texts",
    "--minutes": "end after so long",
    "--encoder-from": "begin with the encoder of this translator, or of ready-made",
    "--freeze": "",
    "--num-layers": "",
    "--num-heads": "of each attention block",
    "--learning-rate": "at its highest",
}


def make_parser() -> Parser:
    parser = make_training_parser(__doc__, EXAMPLES, "runs/TEXTS-classifier", MORE)
    parser.common = COMMON
    group = parser.add_argument_group("transfer")
    group.add_argument(
        "--encoder-from",
        metavar="RUN_DIR",
        help="start from the encoder and the tokenizer of this translator; ready-made is the one "
        "that comes with the package",
    )
    group.add_argument(
        "--freeze", action="store_true", default=None, help="train nothing of that encoder"
    )
    return parser


def main(arguments: argparse.Namespace) -> None:
    settings, given = settings_from(arguments)
    if arguments.freeze and not arguments.encoder_from:
        raise InputError("--freeze leaves an encoder as it is: pass --encoder-from, too")
    with quiet_tensorflow():
        from tf_models.training.strategy import make_strategy
    strategy = make_strategy()
    encoder_from = None
    if arguments.encoder_from:
        with quiet_tensorflow():
            from tf_models.tasks.classification.text_classifier import TrainedEncoder
            from tf_models.tasks.translation.ready_made import source_encoder
        name = arguments.encoder_from
        encoder_from = TrainedEncoder(name, *source_encoder(name))
        settings = encoder_from.settings_for(settings, given)
    run_dir = arguments.run_dir or Path("runs") / f"{label_of_texts(arguments)}-classifier"
    texts = load_texts_of(arguments)
    with quiet_tensorflow():
        from tf_models.tasks.classification.evaluation import report_classifier
        from tf_models.tasks.classification.train import prepare_classifier_training
        from tf_models.training.run_directory import RunDirectory
    training = prepare_classifier_training(
        RunDirectory(run_dir),
        texts,
        settings,
        arguments.seed,
        encoder_from=encoder_from,
        strategy=strategy,
        minutes=arguments.minutes,
    )
    train_to_end(training, lambda: report_classifier(training.run, texts))


def make_training_parser(
    description: str,
    examples: str,
    run_dir: str,
    more: str = "",
    leave_out: Collection[str] = ("freeze",),
) -> Parser:
    """A parser of everything that a classifier's training can be told.

    Args:
        run_dir: how the default run directory is named.
        more: examples for --help-all.
        leave_out: names of settings that are no options here.
    """
    parser = Parser(description, examples, more)
    data = parser.add_argument_group("data")
    data.add_argument(
        "--labels",
        metavar="NAME",
        help="of the embedded sentences: reference (the noun that it stands for), type (statement, "
        f"question ...), voice (active, passive); default: {DEFAULT_LABELS}",
    )
    data.add_argument(
        "--train",
        metavar="FILE",
        help="your own lines of label<TAB>text, or tfds:NAME: imdb_reviews, ag_news_subset ...",
    )
    data.add_argument("--test", type=Path, metavar="FILE", help="default: held out of --train")
    data.add_argument("--data-dir", type=Path, metavar="DIR", help="folder of TFDS data sets")
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
    if arguments.labels is not None and arguments.train is not None:
        raise InputError("--labels and --train name texts each; pass one of them")
    if arguments.test and (not arguments.train or tfds_name(arguments.train)):
        raise InputError("--test belongs to a file of --train; pass that as well")
    if arguments.max_texts is not None:
        check_at_least(2, **{"--max-texts": arguments.max_texts})
    labels = arguments.labels or DEFAULT_LABELS
    check_choice("--labels", labels, LABELS)
    start = CLASSIFIERS[OWN_TEXTS if arguments.train else labels]
    given = given_settings(arguments, start)
    return start.changed(**given), given


def label_of_texts(arguments: argparse.Namespace) -> str:
    """What the texts of the command line are called, for a folder."""
    if not arguments.train:
        return arguments.labels or DEFAULT_LABELS
    if name := tfds_name(arguments.train):
        return name.replace("/", "-")
    return Path(arguments.train).resolve().name.split(".")[0]


def tfds_name(train: str) -> str | None:
    """The name of a data set of TensorFlow Datasets: what follows "tfds:"; None for a file."""
    return train.removeprefix("tfds:") if train.startswith("tfds:") else None


def load_texts_of(arguments: argparse.Namespace) -> Any:
    """The labelled texts of the command line."""
    with quiet_tensorflow():
        from tf_models.data.text import labelled
    seed = arguments.seed
    print(f"loading {arguments.train or 'the embedded sentences'}")
    if not arguments.train:
        texts = labelled.embedded_texts(arguments.labels or DEFAULT_LABELS)
    elif name := tfds_name(arguments.train):
        texts = labelled.texts_of_tfds(name, arguments.data_dir, seed)
    else:
        texts = labelled.texts_of_files(Path(arguments.train), arguments.test, seed)
    if arguments.max_texts is not None and arguments.max_texts < len(texts.train):
        texts = texts.with_fewer(arguments.max_texts, seed)
    print(texts.describe())
    return texts
