"""Train an autoencoder, then measure it and draw what it makes."""

import argparse
from pathlib import Path

from tf_models.command_line import (
    INTERRUPTED,
    Parser,
    add_image_arguments,
    add_training_arguments,
    numbers,
    quiet_tensorflow,
    run,
)
from tf_models.errors import InputError
from tf_models.training.autoencoder_settings import MODELS, model_settings

EXAMPLES = """\
  python scripts/train_autoencoder.py
      the embedded digits through 32 numbers, in seconds
  python scripts/train_autoencoder.py --model one-hot
      four numbers through two: the codes are 00, 01, 10, 11
  python scripts/train_autoencoder.py --model linear
      beside PCA
  python scripts/train_autoencoder.py --model convolutional --dataset mnist --data-dir data
      MNIST through TFDS, codes of 128
  python scripts/train_autoencoder.py --model convolutional --zeroed 0.3 --run-dir runs/denoising
      images with three of ten pixels missing become whole
Ctrl-C saves; the same command goes on where it stopped."""

ONE_HOT = "one-hot"


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("--model", default="dense", help=f"{', '.join(MODELS)}; default: dense")
    add_image_arguments(parser, binarisation="none")
    network = parser.add_argument_group("network (defaults: the model's)")
    network.add_argument("--code-size", type=int, metavar="N")
    network.add_argument("--units", type=numbers, metavar="N,N", help="dense hidden layers")
    network.add_argument("--filters", type=numbers, metavar="N,N", help="convolutions")
    network.add_argument("--activation", help="of hidden layers: relu, tanh, sigmoid …")
    network.add_argument("--code-activation")
    network.add_argument("--output-activation")
    network.add_argument("--loss", help="mse or bernoulli")
    training = add_training_arguments(parser, "runs/DATASET-MODEL", "images")
    training.add_argument("--learning-rate", type=float, metavar="R")
    training.add_argument("--schedule", help="cosine or constant")
    return parser


def main(arguments: argparse.Namespace) -> int | None:
    start = model_settings(arguments.model)
    settings = start.changed(
        **{k: v for k, v in vars(arguments).items() if k in start.__dataclass_fields__}
    )
    if arguments.model == ONE_HOT and arguments.dataset:
        raise InputError("--model one-hot brings its own four vectors; leave out --dataset")
    with quiet_tensorflow():
        from tf_models.training.autoencoder import AUTOENCODER
        from tf_models.training.image_run import prepare_image_training
        from tf_models.training.run_directory import RunDirectory
    images = load(arguments)
    print(images.describe())
    run_dir = arguments.run_dir or Path("runs") / f"{images.label}-{arguments.model}"
    training = prepare_image_training(
        AUTOENCODER, RunDirectory(run_dir), images, settings, arguments.seed
    )
    print(f"model: {training.model.count_params():,} parameters; run directory {run_dir}")
    if not training.loop.fit(settings.epochs, settings.checkpoint_every, minutes=arguments.minutes):
        print(f"interrupted and saved in {run_dir}; the same command goes on from here")
        return INTERRUPTED
    return None


def load(arguments: argparse.Namespace):
    from tf_models.data.images import EMBEDDED, load_images, one_hot_images

    if arguments.model == ONE_HOT:
        return one_hot_images()
    return load_images(
        arguments.dataset or EMBEDDED, data_dir=arguments.data_dir, seed=arguments.seed
    )


if __name__ == "__main__":
    run(make_parser(), main)
