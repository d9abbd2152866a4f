"""Train a variational autoencoder, then measure it and draw what it makes."""

import argparse
from pathlib import Path

from tf_models.command_line import (
    INTERRUPTED,
    Parser,
    add_image_arguments,
    add_training_arguments,
    numbers,
    quiet_tensorflow,
    refuse_options,
    run,
)
from tf_models.tasks.autoencoding.vae_settings import (
    DEFAULTS,
    OF_MODEL,
    VAESettings,
    default_settings,
)

EXAMPLES = """\
  python scripts/train_vae.py
      the embedded digits, in seconds
  python scripts/train_vae.py --dataset mnist --data-dir data --epochs 300
      MNIST through TFDS, the IWAE paper's model of one layer and 50 latents
  python scripts/train_vae.py --dataset mnist --data-dir data --run-dir runs/iwae \\
      --start-from runs/mnist-vae --importance-samples 50 --gradient-samples 5
      from there on its importance-weighted bound
  python scripts/train_vae.py --model hierarchical --dataset mnist --groups 3,5 --patch 4 \\
      --channels 32 --latent-channels 8 --epochs 100
      a deep hierarchical VAE after NVAE: latents at 4 x 4 and 7 x 7 positions
  python scripts/train_vae.py --dataset photos --likelihood gaussian --network convolutional
      images of your own: a folder of PNG or JPEG files of one size
Ctrl-C saves; the same command goes on where it stopped."""

SAMPLES, TEST_IMAGES = 100, 500  # of the measure at the end of training


def make_parser() -> Parser:
    def default(name: str) -> str:
        shown = dict.fromkeys(str(getattr(settings, name)) for settings in DEFAULTS.values())
        return f"default: {' or, hierarchical, '.join(shown)}"

    parser = Parser(__doc__, EXAMPLES)
    add_image_arguments(parser, binarisation=VAESettings.binarisation)
    model = parser.add_argument_group("model")
    model.add_argument("--model", help="vae (default) or hierarchical")
    model.add_argument("--likelihood", help="bernoulli (default) or gaussian")
    model.add_argument("--beta", type=float, help="weight of the KL term; default: 1")
    vae = parser.add_argument_group("vae")
    vae.add_argument("--network", help="dense (default) or convolutional")
    vae.add_argument("--latents", type=int, metavar="N", help=default("latents"))
    vae.add_argument("--units", type=numbers, metavar="N,N", help="hidden layers; default: 200,200")
    vae.add_argument("--filters", type=numbers, metavar="N,N", help="default: 32,64")
    vae.add_argument("--activation", help=default("activation"))
    vae.add_argument(
        "--importance-samples", type=int, metavar="K", help="of the bound; default: 1, the ELBO"
    )
    vae.add_argument(
        "--gradient-samples",
        type=int,
        metavar="M",
        help="of them whose gradient is taken, drawn by their weights; default: all",
    )
    deep = parser.add_argument_group("hierarchical")
    deep.add_argument(
        "--groups", type=numbers, metavar="N,N", help="of each scale, small to large; default: 3,3"
    )
    deep.add_argument("--channels", type=int, metavar="N", help=default("channels"))
    deep.add_argument("--latent-channels", type=int, metavar="N", help=default("latent_channels"))
    deep.add_argument(
        "--patch",
        type=int,
        metavar="N",
        help=f"pixels in a row at a position of the largest scale; {default('patch')}",
    )
    deep.add_argument("--expansion", type=int, metavar="N", help=default("expansion"))
    deep.add_argument("--spectral-weight", type=float, metavar="W", help=default("spectral_weight"))
    deep.add_argument(
        "--balanced",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="balance the groups' KL terms during warm-up",
    )
    training = add_training_arguments(parser, "runs/DATASET-MODEL", "images")
    training.add_argument(
        "--start-from", type=Path, metavar="DIR", help="run directory with the first weights"
    )
    training.add_argument("--learning-rate", type=float, metavar="R", help=default("learning_rate"))
    training.add_argument("--schedule", help="cosine (default) or constant")
    training.add_argument(
        "--kl-warmup-epochs", type=float, metavar="N", help=default("kl_warmup_epochs")
    )
    return parser


def settings_from(arguments: argparse.Namespace) -> VAESettings:
    names = VAESettings.__dataclass_fields__
    given = {n: v for n, v in vars(arguments).items() if n in names and v is not None}
    if given.get("likelihood") == "gaussian":
        given.setdefault("binarisation", "none")
    settings = default_settings(given.get("model", "vae")).changed(**given)
    for model, options in OF_MODEL.items():
        if model != settings.model:
            refuse_options(f"--model {settings.model}", [n for n in options if n in given])
    of_others = [name for name in given if name in settings.of_other_networks]
    refuse_options(f"--network {settings.network}", of_others)
    return settings


def main(arguments: argparse.Namespace) -> int | None:
    settings = settings_from(arguments)
    with quiet_tensorflow():
        from tf_models.data.images.loading import EMBEDDED, load_images
        from tf_models.runtime import IMAGES_IN_A_TOWER, use_cores_for_towers
        from tf_models.tasks.autoencoding.train import prepare_image_training
        from tf_models.tasks.autoencoding.vae_family import VAE_FAMILY
        from tf_models.training.run_directory import RunDirectory
    towers = use_cores_for_towers(settings.batch_size, IMAGES_IN_A_TOWER)
    images = load_images(
        arguments.dataset or EMBEDDED, data_dir=arguments.data_dir, seed=arguments.seed
    )
    print(images.describe())
    run_dir = arguments.run_dir or Path("runs") / f"{images.label}-{settings.model}"
    training = prepare_image_training(
        VAE_FAMILY,
        RunDirectory(run_dir),
        images,
        settings,
        arguments.seed,
        start_from=arguments.start_from and RunDirectory(arguments.start_from),
    )
    training.model.towers = towers
    print(f"model: {training.model.count_params():,} parameters; run directory {run_dir}")
    if not training.loop.fit(settings.epochs, settings.checkpoint_every, minutes=arguments.minutes):
        print(f"interrupted and saved in {run_dir}; the same command goes on from here")
        return INTERRUPTED
    show_results(training.run, images, settings)
    return None


def show_results(run_directory, images, settings: VAESettings) -> None:
    """A first measure of the trained model, then figures."""
    from evaluate_vae import print_results
    from plot_autoencoder import draw_figures

    from tf_models.tasks.autoencoding.evaluation import evaluate_vae
    from tf_models.tasks.autoencoding.trained_model import ImageModel

    model = ImageModel.load(run_directory.path)
    shown = min(TEST_IMAGES, len(images.test))
    print(
        f"\n{shown} of {len(images.test)} test images (more of them, or more samples: "
        f"python scripts/evaluate_vae.py --run-dir {run_directory.path}):"
    )
    results = evaluate_vae(
        model.model,
        images,
        binarisation=settings.binarisation,
        samples=SAMPLES,
        most=TEST_IMAGES,
    )
    print_results(results)
    draw_figures(model, images, run_directory)


if __name__ == "__main__":
    run(make_parser(), main)
