"""Draw what a trained autoencoder or VAE makes of images."""

import argparse
from pathlib import Path

from tf_models.command_line import (
    IMAGE_CHECKPOINT_HELP,
    Parser,
    add_seed,
    quiet_tensorflow,
    refuse_options,
    run,
)
from tf_models.plotting.language import ENGLISH, LANGUAGES
from tf_models.tasks.autoencoding.figure_options import COLUMNS, FIGURE_NAMES, FigureOptions

EXAMPLES = """\
  python scripts/plot_autoencoder.py --run-dir runs/digits-vae --figure samples --output new.png
  python scripts/plot_autoencoder.py --run-dir runs/mnist-convolutional --data-dir data \\
      --figure interpolation --output fading.png
      a zero becomes a seven: in code space, and in pixel space
  python scripts/plot_autoencoder.py --run-dir runs/digits-linear --figure pca --output pca.png
      a linear autoencoder beside principal component analysis
  python scripts/plot_autoencoder.py --run-dir runs/without-8 --figure roc --output roc.png
      how well errors tell the class that training left out (--without-class 8)"""

OPTIONS = ("count", "classes", "temperature")  # which not every figure heeds


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("--run-dir", type=Path, required=True)
    parser.add_argument(
        "--figure",
        choices=FIGURE_NAMES,
        required=True,
        help="; ".join(f"{name}: {shown}" for name, shown in FIGURE_NAMES.items()),
    )
    parser.add_argument("--output", type=Path, required=True, metavar="F.png|pdf|svg")
    parser.add_argument("--dataset", help="default: the one it was trained on")
    parser.add_argument("--data-dir", type=Path, help="folder of TFDS data sets")
    parser.add_argument("--checkpoint", help=IMAGE_CHECKPOINT_HELP)
    parser.add_argument("--count", type=int, metavar="N", help=f"of images; default: {COLUMNS}")
    parser.add_argument(
        "--classes",
        nargs=2,
        metavar="C",
        help="of interpolation: numbers, or names where classes have some; default: the first and "
        "the last, of digits 0 7",
    )
    parser.add_argument("--temperature", type=float, help="of samples; default: 1")
    parser.add_argument(
        "--language", choices=LANGUAGES, default=ENGLISH, help="of the words; default: en"
    )
    add_seed(parser)
    return parser


def main(arguments: argparse.Namespace) -> None:
    from tf_models.plotting.files import check_figure_path, save_figure

    check_figure_path(arguments.output)  # refused before minutes are spent
    given = {n: v for n in OPTIONS if (v := getattr(arguments, n)) is not None}
    options = FigureOptions(seed=arguments.seed, language=arguments.language, **given)
    with quiet_tensorflow():
        from tf_models.tasks.autoencoding.figures import FIGURES
        from tf_models.tasks.autoencoding.trained_model import ImageModel
    figure = FIGURES[arguments.figure]
    foreign = [name for name in given if name not in figure.options]
    refuse_options(f"--figure {arguments.figure}", foreign)
    model = ImageModel.load(arguments.run_dir, arguments.checkpoint)
    images = model.load_images(arguments.dataset, arguments.data_dir)
    save_figure(figure.draw(model, images, options), arguments.output)
    print(arguments.output)


if __name__ == "__main__":
    run(make_parser(), main)
