"""Time epochs of a dense VAE beside the same model in PyTorch."""

import argparse
from pathlib import Path

from research.benchmarks.command import add_options, log, measure_and_publish, plan_from
from research.benchmarks.comparison import Plan
from research.benchmarks.systems import VAE_SYSTEMS, installed_systems
from research.options import Parser, given_settings, numbers, run
from tf_models.command_line import quiet_tensorflow
from tf_models.errors import InputError
from tf_models.tasks.autoencoding.settings import ImageRunSettings, preset

EXAMPLES = """\
  python -m research.benchmarks.autoencoders
      on the embedded digits, in seconds
  python -m research.benchmarks.autoencoders --dataset mnist --data-dir data --output speed.json
      on MNIST
PyTorch comes with: pip install -e ".[benchmark]\""""


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("--dataset", help="as train_vae.py takes it; default: digits")
    parser.add_argument("--data-dir", type=Path, help="folder of TFDS data sets")
    parser.add_argument("--latents", type=int, metavar="N", help="default: 50")
    parser.add_argument("--units", type=numbers, metavar="N,N", help="default: 200,200")
    parser.add_argument("--batch-size", type=int, metavar="B", help="images; default: 100")
    add_options(parser)
    return parser


def main(arguments: argparse.Namespace) -> None:
    plan, settings = plan_from(arguments), settings_from(arguments)
    measure_and_publish(
        lambda folder: {"vae": measure_vae(arguments, settings, folder, plan)},
        plan,
        arguments.output,
    )


def settings_from(arguments: argparse.Namespace) -> ImageRunSettings:
    """The default VAE, with the sizes of the command line.

    Raises:
        InputError: a size is out of range.
    """
    if arguments.units == ():
        raise InputError("--units must name the width of at least one hidden layer; received none")
    return preset("vae").changed(**given_settings(arguments, preset("vae")))


def measure_vae(
    arguments: argparse.Namespace, settings: ImageRunSettings, folder: Path, plan: Plan
) -> dict:
    from research.benchmarks.vae_comparison import compare_vaes
    from research.benchmarks.vae_systems import VAETask

    with quiet_tensorflow():
        from tf_models.data.images.loading import EMBEDDED, load_images
    images = load_images(arguments.dataset or EMBEDDED, data_dir=arguments.data_dir)
    names = installed_systems(VAE_SYSTEMS, log)
    return compare_vaes(VAETask(images, settings, folder), names, plan)


if __name__ == "__main__":
    run(make_parser(), main)
