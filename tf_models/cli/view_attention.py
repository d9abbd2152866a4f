"""Write an attention page: type a sentence, see and change its attention.

$ tf-models view-attention --output page.html
      the translator of the package in one web page: open it in a browser, offline
$ tf-models view-attention --run-dir runs/toy-toy --output page.html \\
      --sentence "The dog sleeps." "The dog sleeps because it is tired."
      a translator of your own, with sentences to begin with
"""

from pathlib import Path

from tf_models.cli.command_line import parse, quiet_tensorflow
from tf_models.cli.translator_arguments import TranslatorArguments
from tf_models.errors import InputError
from tf_models.files import check_writable, write_text
from tf_models.translation.settings import RUN_DIR


class Arguments(TranslatorArguments):
    output: Path
    """File of the page, F.html."""
    sentence: tuple[str, ...] = ()
    """Sentences to begin with, one or more."""
    target: str | None = None
    """Translation to force; if left out, the model's own."""


def main() -> None:
    arguments = parse(Arguments)
    with quiet_tensorflow():
        from tf_models.translation.page.page import make_page
        from tf_models.translation.translate import Translator
    if arguments.output.suffix.lower() != ".html":
        raise InputError(f"a page is saved as .html; received {arguments.output}")
    check_writable(arguments.output)
    run_dir = arguments.chosen_run_dir
    translator = Translator.load(run_dir, arguments.checkpoint)
    name = "the translator of the package" if run_dir == RUN_DIR else run_dir.resolve().name
    page = make_page(translator, arguments.sentence, arguments.target, name=name, run_dir=run_dir)
    write_text(arguments.output, page.html)
    print(arguments.output)
