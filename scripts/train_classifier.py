"""Train a Transformer classifier, then score it beside baselines and draw its attention."""

import argparse
from pathlib import Path

from tf_models.command_line import quiet_tensorflow, run, train_to_end
from tf_models.errors import InputError
from tf_models.tasks.classification.options import (
    label_of_texts,
    load_texts_of,
    make_training_parser,
    settings_from,
)

EXAMPLES = """\
  python scripts/train_classifier.py
      which noun "it" stands for, in sentences of the package; two minutes
  python scripts/train_classifier.py --labels type
      statement, negation, question, command, or a sentence with a subordinate clause
  python scripts/train_classifier.py --encoder-from ready-made --freeze --max-texts 1000
      the encoder of the translator that comes with the package, and a new network on it
  python scripts/train_classifier.py --encoder-from runs/toy-toy --run-dir runs/fine-tuned
      the same of your own translator, and all of it is trained further
  python scripts/train_classifier.py --train train.tsv --test test.tsv
      your own lines of label<TAB>text
  python scripts/train_classifier.py --tfds imdb_reviews --data-dir data --max-length 256
Ctrl-C saves; the same command goes on where it stopped."""


def make_parser():
    parser = make_training_parser(__doc__, EXAMPLES, "runs/TEXTS-classifier")
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
        from tf_models.training.distributed.strategies import make_strategy
    strategy = make_strategy()
    encoder_from = None
    if arguments.encoder_from:
        with quiet_tensorflow():
            from tf_models.tasks.classification.trained_encoder import TrainedEncoder
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
    )
    if train_to_end(training, arguments.minutes):
        report_classifier(training.run, texts)


if __name__ == "__main__":
    run(make_parser(), main)
