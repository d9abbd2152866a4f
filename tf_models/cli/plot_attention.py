"""Draw the attention of a trained translator, of all heads or of one word.

$ tf-models plot-attention --kind encoder --layer all --output heads.png
      every head of every layer, while it reads the article's sentence
$ tf-models plot-attention --query it --words --output it.pdf \\
      --sentence "The animal didn't cross the street because it was too tired."
      one head's map with the row of one word framed, and this row as a histogram
"""

import sys
from functools import partial
from pathlib import Path

from tf_models.cli.command_line import parse, quiet_tensorflow
from tf_models.cli.translator_arguments import MapArguments, TranslatorArguments


class Arguments(TranslatorArguments):
    output: Path
    """File of the figure: F.png, F.pdf or F.svg."""
    map: MapArguments = MapArguments()


def main() -> None:
    arguments = parse(Arguments)
    with quiet_tensorflow():
        from tf_models.plotting.files import check_figure_path, save_figure
        from tf_models.translation.figures import draw_maps, draw_query
        from tf_models.translation.translate import Translator
    check_figure_path(arguments.output)  # refused before minutes are spent
    translator = Translator.load(arguments.chosen_run_dir, arguments.checkpoint)
    options = arguments.map.model_dump(exclude_none=True)
    if arguments.map.query:
        figure = draw_query(translator, **options, report=partial(print, file=sys.stderr))
    else:
        figure = draw_maps(translator, **options)
    print(save_figure(figure, arguments.output))
