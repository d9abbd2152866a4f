"""Answer a question about a story with a trained model, and say which facts it read."""

import argparse
import sys
from pathlib import Path

from tf_models.command_line import Parser, quiet_tensorflow
from tf_models.errors import InputError

EXAMPLES = """\
  tf-models answer --run-dir runs/stories --fact "Anna took the apple." \\
      "Anna went to the kitchen." --question "Where is the apple?"
  tf-models answer --run-dir runs/stories --story story.txt \\
      --question "How many things does Ben have?" --output read.png
      a file with a fact on each line; the figure shows what was attended to"""
COMMON = dict.fromkeys(("--run-dir", "--fact", "--story", "--question", "--output"), "")


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES, common=COMMON)
    parser.add_argument("--run-dir", type=Path, required=True, help="of train-question-answering")
    parser.add_argument("--story", type=Path, metavar="FILE", help="a fact on each line")
    parser.add_argument(
        "--fact", nargs="+", default=[], metavar="TEXT", help="one or more, after those of FILE"
    )
    parser.add_argument("--question", required=True, metavar="TEXT")
    parser.add_argument("--output", type=Path, metavar="F.png|pdf|svg", help="draw what was read")
    parser.add_argument(
        "--checkpoint", metavar="NAME", help="best, latest, or a name; default: best"
    )
    return parser


def main(arguments: argparse.Namespace) -> int:
    from tf_models.data.stories.story import Question
    from tf_models.plotting.files import check_figure_path, save_figure

    if arguments.output:
        check_figure_path(arguments.output)  # refused before anything is loaded
    facts = [*read_story(arguments.story), *arguments.fact]
    question = Question(tuple(facts), arguments.question, answer="")
    with quiet_tensorflow():
        from tf_models.tasks.question_answering.answerer import Answerer
        from tf_models.tasks.question_answering.drawing import draw_answer
        from tf_models.tasks.question_answering.evaluation import report_answer
    answerer = Answerer.load(arguments.run_dir, arguments.checkpoint)
    answer = answerer.answer(question)
    report_answer(question, answer)
    if arguments.output:
        save_figure(draw_answer(question, answer), arguments.output)
        print(f"\n{arguments.output}")
    if unknown := answerer.unknown_words(question):
        print(f"words that no training story has: {' '.join(unknown)}", file=sys.stderr)
    return 1 if unknown else 0


def read_story(path: Path | None) -> list[str]:
    """The facts of a file; empty lines are skipped."""
    from tf_models.data.text_files import read_lines

    if path is None:
        return []
    facts = [line.strip() for line in read_lines(path) if line.strip()]
    if not facts:
        raise InputError(f"{path} has no fact; expected one on each line")
    for number, fact in enumerate(facts, start=1):
        if "\t" in fact:
            raise InputError(
                f"fact {number} of {path} has a tab, as questions of bAbI have; the question "
                "belongs to --question"
            )
    return facts
