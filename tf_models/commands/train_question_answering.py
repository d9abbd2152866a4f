"""Train a model that answers questions about stories, then test it and draw what it attends to."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from tf_models.command_line import (
    Parser,
    add_run_arguments,
    add_sections,
    given_settings,
    quiet_tensorflow,
    refuse_options,
    train_to_end,
)
from tf_models.errors import InputError
from tf_models.tasks.question_answering.settings import ATTENTION, MODELS

EXAMPLES = """\
  tf-models train-question-answering
      embedded stories and five kinds of questions, in minutes
  tf-models train-question-answering --hops 1 --run-dir runs/one-hop
      attends to the facts once before the answer is written
  tf-models train-question-answering --model lstm
      no attention: the last state of an LSTM that reads all is the first of one that answers
  tf-models train-question-answering --train qa1_train.txt qa2_train.txt \\
      --test qa1_test.txt qa2_test.txt --epochs 40 --dropout 0.2
      files in the format of bAbI; each is a kind of questions
Ctrl-C saves; the same command goes on where it stopped."""
COMMON = {
    "--model": "",
    "--train": "in the format of bAbI; default: embedded stories",
    "--test": "the same, to test on",
    "--run-dir": "default: runs/stories, or runs/ and the first file's name",
    "--epochs": "passes over the questions",
    "--minutes": "end after so long",
    "--hops": "attention steps over the facts before the answer",
    "--dropout": "",
    "--learning-rate": "at its highest",
}


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES, common=COMMON)
    data = parser.add_argument_group("data")
    for option, use in (("train", "to train on"), ("test", "to test on")):
        data.add_argument(
            f"--{option}",
            type=Path,
            nargs="+",
            metavar="FILE",
            default=[],
            help=f"files in the format of bAbI {use}; default: embedded stories",
        )
    add_sections(data, MODELS, "stories")
    model = parser.add_argument_group("model")
    names = ", ".join(MODELS)
    model.add_argument("--model", default=ATTENTION, help=f"{names}; default: {ATTENTION}")
    add_sections(model, MODELS, "model")
    where = "runs/stories, runs/stories-lstm, with files the first one's name in place of stories"
    group = add_run_arguments(parser, where)
    add_sections(group, MODELS, "optimizer", "training")
    return parser


def main(arguments: argparse.Namespace) -> None:
    if (name := arguments.model) not in MODELS:
        raise InputError(f"--model must be one of {', '.join(MODELS)}; received {name!r}")
    given = given_settings(arguments, *MODELS.values())
    refuse_options(f"--model {name}", sorted(given.keys() - MODELS[name].flat().keys()))
    settings = MODELS[name].changed(**given)
    train, test = arguments.train, arguments.test
    check_files(train, test, given)
    default = (train[0].stem if train else "stories") + (name != ATTENTION) * f"-{name}"
    run_dir = arguments.run_dir or Path("runs") / default
    with quiet_tensorflow():
        from tf_models.data.stories.question_sets import embedded_questions, questions_of_files
        from tf_models.tasks.question_answering.evaluation import report_questions
        from tf_models.tasks.question_answering.train import prepare_question_training
        from tf_models.training.run_directory import RunDirectory
        from tf_models.training.strategy import make_strategy
    strategy = make_strategy()
    if train:
        questions = questions_of_files(train, test, arguments.seed)
    else:
        questions = embedded_questions(settings.stories.training_questions)
    print(questions.describe())
    options = {"strategy": strategy, "minutes": arguments.minutes}
    training = prepare_question_training(
        RunDirectory(run_dir), questions, settings, arguments.seed, **options
    )
    train_to_end(training, lambda: report_questions(training.run, questions))


def check_files(train: Sequence[Path], test: Sequence[Path], given: dict[str, object]) -> None:
    """Refuse files to train on without files to test on, and options that have no use then."""
    if bool(train) != bool(test):
        raise InputError("--train and --test belong together; one of them is missing")
    if train:
        refuse_options("--train", {"training_questions"} & given.keys())
