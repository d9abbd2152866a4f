"""Write stories and questions about them to a file, as the embedded one has them."""

import argparse
from pathlib import Path

from research.grammar.write import compressed
from research.options import Parser, run, seed
from research.stories.world import generated_questions
from tf_models.data.stories.question_sets import COLUMNS, FACT_BREAK
from tf_models.data.stories.story import Question
from tf_models.errors import InputError
from tf_models.files import atomic_path, check_writable

EXAMPLES = """\
  python -m research.stories.write --output tf_models/data/stories/stories.tsv.xz
      the embedded stories, again
A name that ends in .xz or .gz compresses the file."""
SIZES = {"train": 60_000, "validation": 1_000, "test": 2_000}


def text_of(sizes: dict[str, int], seed: int = 0) -> str:
    """The lines of a file, its header first."""
    rows = [COLUMNS]
    for split, questions in generated_questions(sizes, seed).items():
        rows += [_row(split, question) for question in questions]
    return "".join("\t".join(row) + "\n" for row in rows)


def _row(split: str, question: Question) -> tuple[str, ...]:
    facts, support = FACT_BREAK.join(question.facts), " ".join(map(str, question.support))
    return split, question.kind, facts, question.question, question.answer, support


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("--output", type=Path, required=True, metavar="F.tsv.xz")
    help_text = "questions to train on; default: %(default)s"
    parser.add_argument("--train", type=int, default=SIZES["train"], metavar="N", help=help_text)
    parser.add_argument("--seed", type=seed, default=0)
    return parser


def main(arguments: argparse.Namespace) -> None:
    if arguments.train < 1:
        raise InputError(f"--train must be at least 1; received {arguments.train}")
    check_writable(arguments.output)
    text = text_of(SIZES | {"train": arguments.train}, arguments.seed)
    with atomic_path(arguments.output) as path:
        path.write_bytes(compressed(text, path.suffix))
    print(arguments.output)


if __name__ == "__main__":
    run(make_parser(), main)
