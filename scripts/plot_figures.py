"""Draw the figures of the articles: masks, positions, attention by hand and of a checkpoint."""

import argparse
from pathlib import Path

from tf_models.command_line import Parser, quiet_tensorflow, run
from tf_models.errors import InputError
from tf_models.tasks.translation.figure_options import ARTICLE_FIGURE_NAMES, FILM
from tf_models.tasks.translation.protocol import ATTENTION_KINDS
from tf_models.tasks.translation.ready_made import add_translator_arguments, chosen_run_dir

FIGURES = "\n".join(f"  {name:19} {shown}" for name, shown in ARTICLE_FIGURE_NAMES.items())
EXAMPLES = f"""\
  python scripts/plot_figures.py --figure masks --output masks.png
      the three masks of the translator article
  python scripts/plot_figures.py --figure forced-map --words --output map.png map.pdf
      ten German by nine English words: start, end and full stop are left out
  python scripts/plot_figures.py --figure lines --query animal --output lines.svg
      where another word looks
  python scripts/plot_figures.py --figure film --run-dir runs/toy-toy --output film.gif
      a map through the epochs of a training with --average-last-n 10

figures:
{FIGURES}"""


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("--figure", choices=ARTICLE_FIGURE_NAMES, metavar="NAME", help="see below")
    parser.add_argument("--list", action="store_true", help="print the names of the figures")
    parser.add_argument(
        "--output", type=Path, nargs="+", metavar="F.png|pdf|svg", help="of the film also F.gif"
    )
    checkpoint = parser.add_argument_group("figures of a checkpoint")
    add_translator_arguments(checkpoint)
    checkpoint.add_argument("--sentence", help="in place of the article's")
    checkpoint.add_argument("--target", help="the translation to force")
    checkpoint.add_argument("--kind", choices=ATTENTION_KINDS)
    checkpoint.add_argument("--layer", help="1 to the last", metavar="L")
    checkpoint.add_argument("--head", type=int, metavar="H", help="from 1")
    checkpoint.add_argument("--query", metavar="WORD", help="whose lines are drawn")
    checkpoint.add_argument(
        "--words",
        action="store_true",
        default=None,
        help="leave start, end and full stop out of the forced map",
    )
    return parser


def main(arguments: argparse.Namespace) -> None:
    if arguments.list:
        print(FIGURES)
        return
    if not arguments.figure or not arguments.output:
        raise InputError("pass --figure NAME and --output F.png, or --list for the names")
    from tf_models.plotting.files import check_figure_path, save_figure
    from tf_models.plotting.film import is_film, save_film

    films = [path for path in arguments.output if is_film(path) and arguments.figure == FILM]
    pictures = [path for path in arguments.output if path not in films]
    for path in pictures:
        check_figure_path(path)  # refused before minutes are spent
    with quiet_tensorflow():
        from tf_models.runtime import use_cores_for_inference
        from tf_models.tasks.translation.article_figures import draw_article_figure, draw_frames
        from tf_models.tasks.translation.translator import Translator
    use_cores_for_inference()

    def load() -> tuple[Translator, Path]:
        run_dir = chosen_run_dir(arguments)
        return Translator.load(run_dir, arguments.checkpoint), run_dir

    options = ("sentence", "target", "kind", "layer", "head", "query", "words")
    given = {option: getattr(arguments, option) for option in options}
    if pictures:
        figure = draw_article_figure(arguments.figure, load, given)
        for path in pictures:
            save_figure(figure, path)
    for path in films:
        save_film(draw_frames(load, given), path)
    print(*arguments.output, sep="\n")


if __name__ == "__main__":
    run(make_parser(), main)
