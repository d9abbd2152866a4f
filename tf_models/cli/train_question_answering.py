"""Train a model that answers questions about stories, then test it.

$ tf-models train-question-answering
    embedded stories and five kinds of questions, in minutes; figures of its attention
$ tf-models train-question-answering --model lstm
    no attention: the last state of an LSTM that reads all is the first of one that answers
"""

from pathlib import Path

from tf_models.cli.command_line import RunArguments, parse_known, parse_training, quiet_tensorflow
from tf_models.errors import InputError
from tf_models.questions.settings import Preset, QuestionRunSettings, preset


class Model(RunArguments):
    """Argument that decides which settings there are."""

    model: Preset = "attention"
    """Preset to start from."""


class Arguments(Model):
    train: tuple[Path, ...] = ()
    """Files in the format of bAbI to train on; if left out, embedded stories."""
    test: tuple[Path, ...] = ()
    """Files in the format of bAbI to test on."""
    settings: QuestionRunSettings = QuestionRunSettings()


def main() -> None:
    settings = preset(parse_known(Model).model)
    arguments = parse_training(Arguments, settings)
    if bool(arguments.train) != bool(arguments.test):
        raise InputError("--train and --test belong together; one of them is missing")
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
    run_dir = arguments.run_in(name)
    train_question_answering(
        run_dir, questions, arguments.settings, seed=arguments.seed, minutes=arguments.minutes
    )
