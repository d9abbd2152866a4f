"""Answer a question about a story, and show which facts the model read.

$ tf-models answer --run-dir runs/stories --fact "Anna took the apple." \\
      "Anna went to the kitchen." --question "Where is the apple?"
$ tf-models answer --run-dir runs/stories --story story.txt --question "Who has the ball?"
      a file with a fact on each line
"""

import sys
from pathlib import Path

from tf_models.cli.command_line import parse, quiet_tensorflow
from tf_models.data.text_files import read_lines
from tf_models.errors import counted
from tf_models.training.settings import Settings

SHOWN_FACTS = 3  # the facts with most attention


class Arguments(Settings):
    run_dir: Path
    """Run directory of train-question-answering."""
    question: str
    """Question about the facts."""
    story: Path | None = None
    """File with a fact on each line."""
    fact: tuple[str, ...] = ()
    """One or more facts, after those of the file."""
    output: Path | None = None
    """Draw the attention to the facts: F.png, F.pdf or F.svg."""


def main() -> int:
    arguments = parse(Arguments)
    with quiet_tensorflow():
        from tf_models.data.stories import Question
        from tf_models.plotting.files import check_figure_path, save_figure
        from tf_models.questions.answer import Answerer
        from tf_models.questions.figures import draw_answer
    if arguments.output:
        check_figure_path(arguments.output)  # refused before anything is loaded
    lines = read_lines(arguments.story) if arguments.story else []
    facts = [line.strip() for line in lines if line.strip()]
    question = Question((*facts, *arguments.fact), arguments.question, answer="")
    answerer = Answerer.load(arguments.run_dir)
    answer = answerer.answer(question)
    print(answer.text)
    if answer.weights is not None:
        steps = f"{counted(len(answer.steps), 'step')} ({', '.join(answer.steps)})"
        print(f"\nattended to most, on average of {steps}:")
        for i, weight in answer.most_read()[:SHOWN_FACTS]:
            print(f"  {weight:.2f}  {question.facts[i]}")
    if arguments.output:
        print(f"\n{save_figure(draw_answer(question, answer), arguments.output)}")
    texts = " ".join((*question.facts, question.question))
    if unknown := answerer.vocabulary.unknown(texts):
        print(f"words that no training story has: {' '.join(unknown)}", file=sys.stderr)
    return 1 if unknown else 0
