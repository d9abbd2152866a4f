"""Draw which axis layer normalisation goes along, beside batch normalisation."""

import argparse
from pathlib import Path

from tf_models.command_line import Parser, add_seed, run
from tf_models.errors import InputError

EXAMPLES = """\
  python scripts/plot_layer_normalization.py --output axes.png
      six token vectors of four features: each row's and each column's mean and variance
  python scripts/plot_layer_normalization.py --tokens "a dog sleeps" --features 5 --output a.pdf"""

TOKENS = "the old dog sleeps she sings"
MOST = 12  # rows and columns whose numbers can still be read


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("--tokens", default=TOKENS, help="names of the rows; default: %(default)s")
    parser.add_argument("--features", type=int, default=4, metavar="N", help="default: 4")
    add_seed(parser, "of the numbers")
    parser.add_argument("--output", type=Path, required=True, metavar="F.png|pdf|svg")
    return parser


def main(arguments: argparse.Namespace) -> None:
    import numpy as np

    from tf_models.plotting.files import check_figure_path, save_figure
    from tf_models.plotting.normalization import plot_normalization

    check_figure_path(arguments.output)
    tokens = arguments.tokens.split()
    for name, count in (("--tokens", len(tokens)), ("--features", arguments.features)):
        if not 2 <= count <= MOST:
            raise InputError(f"{name} must be 2 to {MOST}; received {count}")
    random = np.random.default_rng(arguments.seed)
    # Tokens of unlike size and features of unlike mean: each axis has something to even out.
    scales = random.uniform(0.5, 3.0, (len(tokens), 1))
    means = random.uniform(-2.0, 2.0, (1, arguments.features))
    x = scales * random.normal(size=(len(tokens), arguments.features)) + means
    features = [f"x{number}" for number in range(1, arguments.features + 1)]
    figure = plot_normalization(x, tokens, features, title="which axis a normalisation goes along")
    save_figure(figure, arguments.output)
    print(arguments.output)


if __name__ == "__main__":
    run(make_parser(), main)
