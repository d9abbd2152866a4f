"""Measure a trained VAE on test images: ELBO and importance-weighted log-likelihood, in nats."""

import argparse
import json
from pathlib import Path

from tf_models.command_line import Parser, quiet_tensorflow, run
from tf_models.errors import InputError

EXAMPLES = """\
  python scripts/evaluate_vae.py --run-dir runs/digits-vae
  python scripts/evaluate_vae.py --run-dir runs/mnist-vae --data-dir data \\
      --importance-samples 5000
      as the papers have it; --images 1000 for a first look"""


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("--run-dir", type=Path, required=True)
    parser.add_argument("--importance-samples", type=int, default=500, metavar="K")
    parser.add_argument("--dataset", help="default: the one it was trained on")
    parser.add_argument("--data-dir", type=Path, help="folder of TFDS data sets")
    parser.add_argument("--checkpoint", help="best (default), latest, or a name")
    parser.add_argument("--images", type=int, metavar="N", help="only the first N test images")
    parser.add_argument("--batch-size", type=int, default=50, metavar="B", help="default: 50")
    parser.add_argument(
        "--chunk", type=int, default=50, metavar="N", help="samples at a time; default: 50"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the binarisation")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def main(arguments: argparse.Namespace) -> None:
    for name in ("importance_samples", "batch_size", "chunk", "images"):
        value = getattr(arguments, name)
        if value is not None and value < 1:
            option = f"--{name.replace('_', '-')}"
            raise InputError(f"{option} must be at least 1; received {value}")
    with quiet_tensorflow():
        from tf_models.data.images import load_images
        from tf_models.decoding.vae_evaluation import evaluate_vae
        from tf_models.training.image_run import check_images, load_image_model
        from tf_models.training.run_directory import RunDirectory
        from tf_models.training.vae import VAE
    run_directory = RunDirectory(arguments.run_dir)
    model, settings, config = load_image_model(VAE, run_directory, arguments.checkpoint)
    name = arguments.dataset or config["data"]["images"]
    images = load_images(name, data_dir=arguments.data_dir, seed=config["seed"])
    check_images(images, config, run_directory)
    results = evaluate_vae(
        model,
        images,
        binarisation=settings.binarisation,
        samples=arguments.importance_samples,
        chunk=arguments.chunk,
        batch_size=arguments.batch_size,
        most=arguments.images,
        seed=arguments.seed,
    )
    if arguments.json:
        print(json.dumps(results, indent=2))
        return
    for name, value in results.items():
        print(f"{name:34} {value:,.2f}" if isinstance(value, float) else f"{name:34} {value}")


if __name__ == "__main__":
    run(make_parser(), main)
