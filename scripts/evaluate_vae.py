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

MOST = 1_000_000  # samples, images: days on any machine


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
        if value is not None and not 1 <= value <= MOST:
            option = f"--{name.replace('_', '-')}"
            raise InputError(f"{option} must be 1 to {MOST}; received {value}")
    with quiet_tensorflow():
        from tf_models.runtime import use_cores_for_inference
        from tf_models.tasks.autoencoding.evaluation import ImportanceSampling, evaluate_vae
        from tf_models.tasks.autoencoding.report import name_figures, report_evaluation
        from tf_models.tasks.autoencoding.trained_model import ImageModel
    use_cores_for_inference()
    model = ImageModel.load(arguments.run_dir, arguments.checkpoint)
    if not model.is_generative:
        raise InputError(f"{arguments.run_dir} holds an autoencoder, which has no likelihood")
    images = model.load_images(arguments.dataset, arguments.data_dir)
    samples, chunk = arguments.importance_samples, arguments.chunk
    evaluation = evaluate_vae(
        model.model,
        images,
        ImportanceSampling(samples, chunk, arguments.batch_size, arguments.seed),
        binarisation=model.binarisation,
        most=arguments.images,
    )
    if arguments.json:
        print(json.dumps(name_figures(evaluation), indent=2))
    else:
        report_evaluation(evaluation)


if __name__ == "__main__":
    run(make_parser(), main)
