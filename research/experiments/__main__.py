"""Train the same with other settings and other seeds, and show what differs."""

import argparse
import sys

from research.experiments.ablation import Ablation
from research.experiments.claims import Claims
from research.experiments.code_sizes import CodeSizes
from research.experiments.codes import Codes
from research.experiments.comparison import Comparison
from research.experiments.dot_products import DotProducts
from research.experiments.ensemble import Ensemble
from research.experiments.minutes import Minutes
from research.experiments.recipe import Recipe, check_options
from research.experiments.repeat import Repeat
from research.experiments.seconds import Seconds
from research.experiments.sinks import Sinks
from research.experiments.transfer import Transfer
from research.experiments.variants import Variants
from research.options import Parser, run
from tf_models.command_line import quiet_tensorflow
from tf_models.errors import InputError, TrainingInterrupted

EXAMPLES = """\
  python -m research.experiments ablation --corpus multi30k --seeds 0,1 --run-dir runs/ablation
  python -m research.experiments ablation --help
      what a recipe can be told
Ctrl-C saves; the same command goes on where it stopped, and only measures what is trained."""
RECIPES = [Repeat(), Minutes(), Ablation(), Claims(), DotProducts(), Comparison()]
RECIPES += [Ensemble(), Sinks(), Seconds(), Transfer(), Variants(), CodeSizes(), Codes()]


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    recipes = parser.add_subparsers(
        dest="recipe", required=True, metavar="RECIPE", parser_class=_parser_of
    )
    for recipe in RECIPES:
        recipes.add_parser(recipe.name, help=recipe.question, recipe=recipe)
    return parser


def _parser_of(recipe: Recipe, prog: str, **_) -> Parser:
    parser = recipe.make_parser()
    parser.prog = prog
    if recipe.trains:
        hidden = argparse.SUPPRESS
        parser.add_argument("--only-run", nargs=2, metavar=("LABEL", "SEED"), help=hidden)
    return parser


def main(arguments: argparse.Namespace) -> int | None:
    from research.experiments.runner import show, train_all

    (recipe,) = (one for one in RECIPES if one.name == arguments.recipe)
    check_options(arguments)
    recipe.labels(arguments)  # refuses what makes no sense
    alone = recipe.trains and arguments.only_run
    if recipe.trains and not alone and (status := train_all(recipe, arguments, sys.argv[1:])):
        return status
    with quiet_tensorflow():
        import tensorflow  # noqa: F401 - what trains and measures needs it
    if alone:
        return train_one(recipe, arguments)
    show(recipe, arguments)
    return None


def train_one(recipe: Recipe, arguments: argparse.Namespace) -> None:
    """The training of one label and one seed, which this process was started for.

    Raises:
        InputError: there is no such training.
        TrainingInterrupted: Ctrl-C came.
    """
    from research.experiments.runner import runs_of

    label, seed = arguments.only_run
    for one in runs_of(recipe, arguments).values():
        if (one.label, str(one.seed)) == (label, seed):
            if not recipe.train(arguments, one):
                raise TrainingInterrupted(recipe.folder(arguments))
            return
    raise InputError(f"{recipe.name} trains nothing called {label!r} with seed {seed}")


if __name__ == "__main__":
    run(make_parser(), main)
