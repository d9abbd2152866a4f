"""Write a web page that holds a translator: type a sentence, see and change its attention."""

import argparse
import sys
from pathlib import Path

from tf_models.command_line import Parser, quiet_tensorflow
from tf_models.errors import InputError
from tf_models.files import resolve
from tf_models.tasks.translation.ready_made import RUN_DIR, add_translator_arguments, chosen_run_dir

EXAMPLES = """\
  tf-models view-attention --output page.html
      the translator of the package in one file: open it in a browser, offline
  tf-models view-attention --run-dir runs/toy-toy --output page.html \\
      --sentence "The dog sleeps." "The dog sleeps because it is tired."
      a translator of your own, with sentences to begin with
  tf-models view-attention --output forced.html \\
      --sentence "The old dog sleeps." --target "Die alte Katze schläft."
      how the model reads while it is made to write the given German sentence"""
COMMON = dict.fromkeys(("--output", "--sentence", "--sentences", "--target", "--run-dir"), "")


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES, common=COMMON)
    add_translator_arguments(parser)
    parser.add_argument(
        "--sentence", nargs="+", default=[], metavar="TEXT", help="one or more to begin with"
    )
    parser.add_argument("--sentences", type=Path, metavar="FILE", help="a file of them, one a line")
    parser.add_argument(
        "--target", metavar="TEXT", help="the translation to force; default: the model's own"
    )
    parser.add_argument("--output", type=Path, required=True, metavar="F.html", help="the page")
    return parser


def main(arguments: argparse.Namespace) -> None:
    from tf_models.files import check_writable, write_text

    if arguments.output.suffix.lower() != ".html":
        raise InputError(f"a page is saved as .html; received {arguments.output.name}")
    check_writable(arguments.output)
    sentences = arguments.sentence + lines_of(arguments.sentences)
    with quiet_tensorflow():
        from tf_models.runtime import use_cores_for_inference
        from tf_models.tasks.translation.page.page import make_page
        from tf_models.tasks.translation.translator import Translator
    use_cores_for_inference()
    run_dir = chosen_run_dir(arguments)
    translator = Translator.load(run_dir, arguments.checkpoint)
    name = "the translator of the package" if run_dir == RUN_DIR else resolve(run_dir).name
    page = make_page(translator, sentences, arguments.target, name=name, run_dir=run_dir)
    print(page.note, file=sys.stderr)
    write_text(arguments.output, page.html)
    print(arguments.output)


def lines_of(path: Path | None) -> list[str]:
    """The lines of a file that hold something."""
    if path is None:
        return []
    from tf_models.data.text_files import read_lines

    return [line for line in read_lines(path) if line.strip()]
