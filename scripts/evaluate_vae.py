"""Measure a trained VAE on test images: ELBO and importance-weighted log-likelihood, in nats."""

import argparse
import json
from pathlib import Path

from tf_models.command_line import (
    IMAGE_CHECKPOINT_HELP,
    Parser,
    add_seed,
    quiet_tensorflow,
    run,
)
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
    parser.add_argument("--checkpoint", help=IMAGE_CHECKPOINT_HELP)
    parser.add_argument("--images", type=int, metavar="N", help="only the first N test images")
    parser.add_argument("--batch-size", type=int, default=50, metavar="B", help="default: 50")
    parser.add_argument(
        "--chunk", type=int, default=10, metavar="N", help="samples at a time; default: 10"
    )
    add_seed(parser, "of the binarisation")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def main(arguments: argparse.Namespace) -> None:
    for name in ("importance_samples", "batch_size", "chunk", "images"):
        value = getattr(arguments, name)
        if value is not None and value < 1:
            option = f"--{name.replace('_', '-')}"
            raise InputError(f"{option} must be at least 1; received {value}")
    with quiet_tensorflow():
        from tf_models.runtime import use_cores_for_batches
        from tf_models.tasks.autoencoding.evaluation import evaluate_vae
        from tf_models.tasks.autoencoding.trained_model import ImageModel
    use_cores_for_batches()
    model = ImageModel.load(arguments.run_dir, arguments.checkpoint)
    if not model.is_generative:
        raise InputError(f"{arguments.run_dir} holds an autoencoder, which has no likelihood")
    images = model.load_images(arguments.dataset, arguments.data_dir)
    results = evaluate_vae(
        model.model,
        images,
        binarisation=model.config["training"]["binarisation"],
        samples=arguments.importance_samples,
        chunk=arguments.chunk,
        batch_size=arguments.batch_size,
        most=arguments.images,
        seed=arguments.seed,
    )
    if arguments.json:
        print(json.dumps(results, indent=2))
        return
    print_results(results)


def print_results(results: dict) -> None:
    for name, value in results.items():
        print(f"  {name:32} {value:,.2f}" if isinstance(value, float) else f"  {name:32} {value}")


if __name__ == "__main__":
    run(make_parser(), main)
