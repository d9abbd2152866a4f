"""Draw the attention of a trained translator: every head's map, or what one word attends to."""

import argparse
from pathlib import Path

from tf_models.command_line import Parser, quiet_tensorflow
from tf_models.plotting.registry import VALUE_NORMS, WITHOUT_MARKS
from tf_models.tasks.translation.figures import FIGURES
from tf_models.tasks.translation.protocol import ATTENTION_KINDS
from tf_models.tasks.translation.ready_made import add_translator_arguments, chosen_run_dir

EXAMPLES = """\
  tf-models plot-attention --sentence "The old dog sleeps." --output heads.png
      every head of the last layer, while it translates
  tf-models plot-attention --kind encoder --layer all --output it.png \\
      --sentence "The animal didn't cross the street because it was too tired."
      what "it" attends to, in every head of every layer
  tf-models plot-attention --query it --words --kind encoder --output it.pdf \\
      --sentence "The animal didn't cross the street because it was too tired."
      one head's map with the row of one word framed, and this row as a histogram"""
MORE = """\
  tf-models plot-attention --kind cross --words --output cross.pdf \\
      --sentence "Anthony Hopkins admired Michael Bay as a great director." \\
      --target "Anthony Hopkins hat Michael Bay als einen großartigen Regisseur bewundert."
      while the model is made to write the given German sentence
  tf-models plot-attention --kind encoder --layer all --value-norms --without-marks \\
      --sentence "He admired her as a great director." --output moved.png
      what each head moves from word to word: heads that rest on <start> move next to nothing"""
SHOWN = ("sentence", "output", "kind", "layer", "head", "query", "words", "target", "run-dir")
COMMON = {f"--{name}": "" for name in SHOWN}

OF_FIGURE = (
    *("sentence", "target", "kind", "layer", "head", "query"),
    *("words", "without_marks", "value_norms"),
)


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES, MORE, COMMON)
    add_translator_arguments(parser)
    parser.add_argument("--sentence", required=True, metavar="TEXT", help="in the source language")
    parser.add_argument(
        "--target", metavar="TEXT", help="the translation to force; default: the model's own"
    )
    parser.add_argument("--kind", choices=ATTENTION_KINDS, default="cross", help="default: cross")
    parser.add_argument("--layer", help="1 to the last (default), or all", metavar="L")
    parser.add_argument("--head", type=int, metavar="H", help="draw this head alone, from 1")
    parser.add_argument("--query", metavar="WORD", help="frame its row, and draw a histogram of it")
    parser.add_argument("--output", type=Path, required=True, metavar="F.png|pdf|svg")
    parser.add_argument("--words", action="store_true", help="merge pieces into words")
    parser.add_argument("--without-marks", action="store_true", help=WITHOUT_MARKS)
    parser.add_argument("--value-norms", action="store_true", help=VALUE_NORMS)
    return parser


def main(arguments: argparse.Namespace) -> None:
    from tf_models.plotting.files import check_figure_path, save_figure

    check_figure_path(arguments.output)  # refused before minutes are spent
    run_dir = chosen_run_dir(arguments)
    with quiet_tensorflow():
        translator = FIGURES.load([run_dir], arguments.checkpoint)
        given = {name: getattr(arguments, name) for name in OF_FIGURE}
        figure = FIGURES.draw("query" if arguments.query else "maps", translator, **given)
    save_figure(figure, arguments.output)
    print(arguments.output)
