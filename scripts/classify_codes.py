"""Classify images by what an encoder learnt without labels: with few labels, and with many."""

import argparse
from pathlib import Path

from tf_models.command_line import (
    IMAGE_CHECKPOINT_HELP,
    Parser,
    add_seed,
    print_repeats,
    quiet_tensorflow,
    run,
)
from tf_models.errors import InputError
from tf_models.training.settings import check_seed

EXAMPLES = """\
  python scripts/classify_codes.py --run-dir runs/digits-stacked
      100 and 1,000 labels, and all: an SVM on codes, and the trained network with a new layer on it
  python scripts/classify_codes.py --run-dir runs/mnist-stacked --data-dir data \\
      --labels 100 1000 10000 --repeats 1 --output transfer.png"""

LABELS = ("100", "1000", "all")
REPEATS = 3


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("--run-dir", type=Path, required=True, help="of an autoencoder or a VAE")
    parser.add_argument("--dataset", help="default: the one it was trained on")
    parser.add_argument("--data-dir", type=Path, help="folder of TFDS data sets")
    parser.add_argument("--checkpoint", help=IMAGE_CHECKPOINT_HELP)
    parser.add_argument(
        "--labels", nargs="+", default=LABELS, metavar="N", help="default: 100 1000 all"
    )
    parser.add_argument(
        "--repeats", type=int, default=REPEATS, metavar="R", help="with other labels; default: 3"
    )
    add_seed(parser)
    parser.add_argument("--output", type=Path, metavar="F.png|pdf|svg", help="draw a figure, too")
    return parser


def main(arguments: argparse.Namespace) -> None:
    from tf_models.plotting.files import check_figure_path

    if arguments.output:
        check_figure_path(arguments.output)  # refused before minutes are spent
    if arguments.repeats < 1:
        raise InputError(f"--repeats must be at least 1; received {arguments.repeats}")
    with quiet_tensorflow():
        from tf_models.tasks.autoencoding.classification import compare
        from tf_models.tasks.autoencoding.trained_model import ImageModel
        from tf_models.training.reproducibility import make_reproducible
    model = ImageModel.load(arguments.run_dir, arguments.checkpoint)
    images = model.load_images(arguments.dataset, arguments.data_dir)
    counts = counts_from(arguments.labels, len(images.train))
    make_reproducible(check_seed(arguments.seed + arguments.repeats - 1))
    accuracies = compare(
        model.code_encoder(),
        lambda: model.untrained().code_encoder(),
        images,
        counts,
        seeds=range(arguments.seed, arguments.seed + arguments.repeats),
        progress=True,
    )
    print_repeats("classification accuracy", accuracies, counts)
    if arguments.output:
        draw(accuracies, counts, arguments.output)


def counts_from(texts: list[str], most: int) -> list[int]:
    """Numbers of labels, "all" among them; of the defaults only those that there are."""
    try:
        counts = sorted({most if text == "all" else int(text) for text in texts})
    except ValueError as error:
        raise InputError(
            f'--labels must be whole numbers or "all"; received {" ".join(texts)}'
        ) from error
    return [count for count in counts if count <= most] if texts == list(LABELS) else counts


def draw(accuracies: dict, counts: list[int], output: Path) -> None:
    from tf_models.plotting.files import save_figure
    from tf_models.plotting.lines import plot_repeats

    figure = plot_repeats(
        accuracies,
        counts,
        axis_names=("training images with a label", "classification accuracy (%)"),
        title="what an encoder learnt without labels is worth",
    )
    save_figure(figure, output)
    print(output)


if __name__ == "__main__":
    run(make_parser(), main)
