"""Train a variational autoencoder, then measure it and draw what it makes."""

import argparse
from pathlib import Path

from tf_models.command_line import (
    Parser,
    add_run_arguments,
    add_sections,
    given_settings,
    quiet_tensorflow,
    refuse_options,
    train_to_end,
)
from tf_models.image_options import add_image_arguments, load_images_of
from tf_models.tasks.autoencoding.options import suited_to
from tf_models.tasks.autoencoding.settings import VAE_MODELS, ImageRunSettings, default_settings

EXAMPLES = """\
  tf-models train-vae
      the embedded digits, in seconds
  tf-models train-vae --dataset mnist --data-dir data --epochs 300
      MNIST through TFDS, the IWAE paper's model of one layer and 50 latents
  tf-models train-vae --dataset photos --image-size 32
      images of your own: a folder of PNG or JPEG files of any sizes
Ctrl-C saves; the same command goes on where it stopped."""
MORE = """\
  tf-models train-vae --dataset mnist --data-dir data --run-dir runs/iwae \\
      --start-from runs/mnist-vae --importance-samples 50 --gradient-samples 5
      from there on its importance-weighted bound
  tf-models train-vae --model hierarchical --dataset mnist --groups 3,5 --patch 4 \\
      --channels 32 --latent-channels 8 --epochs 100
      a deep hierarchical VAE after NVAE: latents at 4 x 4 and 7 x 7 positions
  tf-models train-vae --model conditional
      new images of the class that is asked for"""
COMMON = {
    "--model": "",
    "--dataset": "",
    "--image-size": "bring images of a folder to one size",
    "--data-dir": "",
    "--run-dir": "",
    "--epochs": "passes over the images",
    "--minutes": "end after so long",
    "--latents": "numbers that an image is encoded in",
    "--network": "of the VAE: dense or convolutional",
    "--likelihood": "",
    "--beta": "",
    "--learning-rate": "at its highest",
}


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES, MORE, COMMON)
    parser.add_argument(
        "--model",
        default="vae",
        metavar="NAME",
        help=f"{', '.join(VAE_MODELS)}; default: %(default)s",
    )
    add_image_arguments(parser)
    add_sections(parser.add_argument_group("inputs"), VAE_MODELS, "inputs")
    there: set[str] = set()  # one option for settings that both models have
    for name, one in VAE_MODELS.items():
        group, this_first = parser.add_argument_group(name), {name: one} | VAE_MODELS
        for section in ("model", "objective"):
            add_sections(group, this_first, section, leave_out=there)
            there |= getattr(one, section).flat().keys()
    group = add_run_arguments(parser, "runs/DATASET-MODEL")
    add_sections(group, VAE_MODELS, "optimizer", "training")
    group.add_argument(
        "--start-from", type=Path, metavar="RUN_DIR", help="run directory with the first weights"
    )
    return parser


def settings_from(arguments: argparse.Namespace) -> ImageRunSettings:
    settings = default_settings(arguments.model, VAE_MODELS)
    given = given_settings(arguments, *VAE_MODELS.values())
    if given.get("likelihood") == "gaussian":
        given.setdefault("binarisation", "none")
    foreign = [name for name in given if name not in settings.flat()]
    refuse_options(f"--model {arguments.model}", foreign)
    settings = settings.changed(**given)
    of_others: set[str] = getattr(settings.model, "of_other_networks", set()) & given.keys()
    refuse_options(f"--network {given.get('network', 'dense')}", of_others)
    return settings


def main(arguments: argparse.Namespace) -> None:
    settings = settings_from(arguments)  # refused before images are read
    with quiet_tensorflow():
        from tf_models.tasks.autoencoding.evaluation import report_images
        from tf_models.tasks.autoencoding.train import prepare_image_training
        from tf_models.training.run_directory import RunDirectory
        from tf_models.training.strategy import make_strategy
    strategy = make_strategy()
    images = load_images_of(arguments)
    print(images.describe())
    settings = suited_to(images, settings, arguments)
    if settings.inputs.binarisation != "none":
        print(f"pixels become 0 or 1: --binarisation {settings.inputs.binarisation}")
    run_dir = arguments.run_dir or Path("runs") / f"{images.label}-{arguments.model}"
    start_from = arguments.start_from and RunDirectory(arguments.start_from)
    training = prepare_image_training(
        RunDirectory(run_dir),
        images,
        settings,
        arguments.seed,
        start_from=start_from,
        strategy=strategy,
        minutes=arguments.minutes,
    )
    train_to_end(training, lambda: report_images(training.run, images))
