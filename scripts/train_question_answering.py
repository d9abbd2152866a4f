"""The same as `tf-models train-question-answering`."""

from tf_models.cli.command_line import run
from tf_models.cli.train_question_answering import main

if __name__ == "__main__":
    run(main)
