"""The same as `tf-models train-question-answering`."""

from tf_models.command_line import run
from tf_models.commands.train_question_answering import main

if __name__ == "__main__":
    run(main)
