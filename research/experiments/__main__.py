"""Train the same with other settings and other seeds, and show what differs.

Ctrl-C saves; the same command resumes, and only measures what is trained.
"""

import argparse
from pathlib import Path

from research.command import new_parser, numbers, run
from research.experiments.claims import Claims
from research.experiments.code_sizes import CodeSizes
from research.experiments.codes import Codes
from research.experiments.comparison import Comparison
from research.experiments.majority import Majority
from research.experiments.recipe import Recipe, Run
from research.experiments.repeat import Repeat
from research.experiments.seconds import Seconds
from research.experiments.transfer import Transfer
from research.experiments.variants import Variants
from tf_models.cli.command_line import quiet_tensorflow

RECIPES: tuple[type[Recipe], ...] = (
    *(Repeat, Claims, Variants, Comparison, Seconds, Majority),
    *(Transfer, CodeSizes, Codes),
)


def make_parser() -> argparse.ArgumentParser:
    parser = new_parser("research.experiments", __doc__)
    recipes = parser.add_subparsers(dest="recipe", required=True, metavar="RECIPE")
    for recipe in RECIPES:
        own = recipes.add_parser(recipe.name, help=recipe.question, description=recipe.__doc__)
        own.add_argument("--seeds", type=numbers, default=(0,), metavar="S,S", help="default: 0")
        if recipe.draws:
            help = "figure; default: beside the run directories"
            own.add_argument("--output", type=Path, metavar="F.png|pdf|svg", help=help)
        help = f"parent of the run directories; default: runs/{recipe.name}"
        own.add_argument("--run-dir", type=Path, help=help if recipe.trains else argparse.SUPPRESS)
        recipe.add_options(own)
    return parser


def main(arguments: argparse.Namespace) -> None:
    with quiet_tensorflow():
        import keras

        from tf_models.plotting.files import save_figure
    (kind,) = (one for one in RECIPES if one.name == arguments.recipe)
    recipe = kind(arguments)
    runs = [
        Run(label, seed, recipe.folder / f"{_folder_name(label)}-{seed}")
        for seed in arguments.seeds
        for label in recipe.labels()
    ]
    if recipe.trains:
        for number, one in enumerate(runs, start=1):
            print(f"\n{one.label}, seed {one.seed} ({number} of {len(runs)}): {one.path}")
            recipe.train(one)
            keras.backend.clear_session()
    results = recipe.results(runs)
    print(f"\n{recipe.question}", *results.table(), sep="\n")
    if recipe.draws:
        output = arguments.output or recipe.folder / f"{recipe.name}.png"
        print(save_figure(recipe.figure(results, runs), output))


def _folder_name(label: str) -> str:
    return "".join(char if char.isalnum() else "-" for char in label).strip("-")


if __name__ == "__main__":
    run(make_parser(), main)
