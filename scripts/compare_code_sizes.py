"""Train an autoencoder at several code sizes and show what the bottleneck costs, beside PCA."""

import argparse
from pathlib import Path

from tf_models.command_line import (
    Parser,
    add_image_arguments,
    add_run_arguments,
    add_settings,
    given_settings,
    quiet_tensorflow,
    run,
)
from tf_models.errors import InputError, TrainingInterrupted
from tf_models.tasks.autoencoding.settings import IMAGE_MODELS
from tf_models.training.run_directory import check_folder_of_runs

EXAMPLES = """\
  python scripts/compare_code_sizes.py
      the embedded digits through 1 to 64 numbers, a minute or two
  python scripts/compare_code_sizes.py --dataset mnist --data-dir data --sizes 2 8 32 128 \\
      --output sizes.png
Ctrl-C saves; the same command goes on where it stopped."""

SIZES = (1, 2, 4, 8, 16, 32, 64)
MODELS = ("linear", "dense", "convolutional", "stacked")


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("--model", default="dense", help=f"{', '.join(MODELS)}; default: dense")
    parser.add_argument(
        "--sizes", type=int, nargs="+", default=SIZES, metavar="N", help="of the code"
    )
    parser.add_argument("--output", type=Path, metavar="F.png|pdf|svg", help="draw a figure, too")
    add_image_arguments(parser)
    group = add_run_arguments(parser, "runs/DATASET-MODEL-sizes, with a run for each")
    for section in ("inputs", "training"):
        add_settings(group, {name: getattr(IMAGE_MODELS[name], section) for name in MODELS})
    return parser


def main(arguments: argparse.Namespace) -> None:
    from tf_models.plotting.files import check_figure_path

    if arguments.output:
        check_figure_path(arguments.output)  # refused before minutes are spent
    if arguments.model not in MODELS:
        raise InputError(f"--model must be one of {', '.join(MODELS)}; received {arguments.model}")
    start = IMAGE_MODELS[arguments.model]
    sizes = sorted(set(arguments.sizes))
    settings = start.changed(**given_settings(arguments, start))
    for size in sizes:
        settings.changed(code_size=size)  # refused before minutes are spent
    with quiet_tensorflow():
        from tf_models.data.images.loading import EMBEDDED, load_images
        from tf_models.tasks.autoencoding.code_sizes import errors_by_code_size, pca_errors
    images = load_images(
        arguments.dataset or EMBEDDED, data_dir=arguments.data_dir, seed=arguments.seed
    )
    print(images.describe())
    folder = arguments.run_dir or Path("runs") / f"{images.label}-{arguments.model}-sizes"
    check_folder_of_runs(folder)
    minutes = arguments.minutes
    errors = errors_by_code_size(folder, images, settings, sizes, arguments.seed, minutes=minutes)
    if errors is None:
        raise TrainingInterrupted(folder)
    show(errors, pca_errors(images, sizes), arguments)


def show(errors: dict, of_pca: dict, arguments: argparse.Namespace) -> None:
    print(f"\nsquared error of a test image\n{'numbers':>8}{arguments.model:>16}{'PCA':>12}")
    for size, error in errors.items():
        pca = f"{of_pca[size]:>12.4g}" if size in of_pca else f"{'-':>12}"
        print(f"{size:>8}{error:>16.4g}{pca}")
    if arguments.output is None:
        return
    from tf_models.plotting.files import save_figure
    from tf_models.tasks.autoencoding.code_sizes import plot_code_sizes

    save_figure(plot_code_sizes(errors, of_pca, arguments.model), arguments.output)
    print(arguments.output)


if __name__ == "__main__":
    run(make_parser(), main)
