"""Train a Vision Transformer on images, then score it and draw what its class token looks at."""

import argparse
import math
from pathlib import Path

from tf_models.command_line import (
    Parser,
    add_run_arguments,
    add_sections,
    given_settings,
    quiet_tensorflow,
    train_to_end,
)
from tf_models.image_options import add_image_arguments, load_images_of, report_suited
from tf_models.tasks.classification.images.settings import DEFAULTS, suited

EXAMPLES = """\
  tf-models train-image-classifier
      the embedded digits, in a minute
  tf-models train-image-classifier --dataset mnist --data-dir data --minutes 10
      MNIST through TFDS
  tf-models train-image-classifier --dataset photos --image-size 32
      images of your own: a folder with a subfolder of PNG or JPEG files for each class
Ctrl-C saves; the same command goes on where it stopped."""
COMMON = {
    "--dataset": "",
    "--image-size": "bring images of a folder to one size",
    "--data-dir": "",
    "--run-dir": "",
    "--epochs": "passes over the images",
    "--minutes": "end after so long",
    "--patch": "pixels of a patch's side",
    "--num-layers": "",
    "--num-heads": "of each attention block",
    "--shift": "pixels by which training images are moved",
    "--learning-rate": "at its highest",
}


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES, common=COMMON)
    add_image_arguments(parser)
    defaults = {"": DEFAULTS}
    for section in ("model", "augmentation"):
        add_sections(parser.add_argument_group(section), defaults, section)
    group = add_run_arguments(parser, "runs/DATASET-classifier")
    add_sections(group, defaults, "optimizer", "training")
    return parser


def main(arguments: argparse.Namespace) -> None:
    given = given_settings(arguments, DEFAULTS)
    settings = DEFAULTS.changed(**given)  # refused before images are read
    with quiet_tensorflow():
        from tf_models.tasks.classification.images.evaluation import report_image_classifier
        from tf_models.tasks.classification.images.train import prepare_image_classifier_training
        from tf_models.training.run_directory import RunDirectory
        from tf_models.training.strategy import make_strategy
    strategy = make_strategy()
    images = load_images_of(arguments)
    print(images.describe())
    decided = {*given, "epochs"} if arguments.minutes < math.inf else given
    better = suited(decided, images.shape, len(images.train))
    report_suited(better)
    training = prepare_image_classifier_training(
        RunDirectory(arguments.run_dir or Path("runs") / f"{images.label}-classifier"),
        images,
        settings.changed(**better),
        arguments.seed,
        strategy=strategy,
        minutes=arguments.minutes,
    )
    train_to_end(training, lambda: report_image_classifier(training.run, images))
