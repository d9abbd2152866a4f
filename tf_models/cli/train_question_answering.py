"""Train a model that answers questions about stories, then test it and draw what it attends to.

$ tf-models train-question-answering
    embedded stories and five kinds of questions, in minutes
$ tf-models train-question-answering --model lstm
    no attention: the last state of an LSTM that reads all is the first of one that answers
"""

from pathlib import Path
from typing import Self

from pydantic import model_validator

from tf_models.cli.arguments import RunArguments
from tf_models.cli.command_line import parse, parse_some, quiet_tensorflow
from tf_models.errors import InputError
from tf_models.questions.settings import Preset, QuestionRunSettings, preset
from tf_models.training.run_directory import RunDirectory


class Model(RunArguments):
    """The argument that settings depend on."""

    model: Preset = "attention"
    """Preset to start from."""


class Arguments(Model):
    """All arguments."""

    train: tuple[Path, ...] = ()
    """Files in the format of bAbI to train on; if left out, embedded stories."""
    test: tuple[Path, ...] = ()
    """Files in the format of bAbI to test on."""
    settings: QuestionRunSettings = QuestionRunSettings()

    @model_validator(mode="after")
    def _check(self) -> Self:
        if bool(self.train) != bool(self.test):
            raise InputError("--train and --test belong together; one of them is missing")
        return self


def main() -> None:
    settings = preset(parse_some(Model).model)
    arguments = parse(Arguments, Arguments(settings=settings))
    with quiet_tensorflow():
        from tf_models.data.stories import embedded_questions, questions_of_files
        from tf_models.questions.train import train_question_answering
    if arguments.train:
        questions = questions_of_files(arguments.train, arguments.test, arguments.seed)
    else:
        questions = embedded_questions(arguments.settings.stories.training_questions)
    print(questions.describe())
    name = arguments.train[0].stem if arguments.train else "stories"
    name += "" if arguments.model == "attention" else f"-{arguments.model}"
    train_question_answering(
        RunDirectory(arguments.folder(name)),
        questions,
        arguments.settings,
        arguments.seed,
        minutes=arguments.minutes,
    )
