"""Train an autoencoder, then measure it and draw what it makes."""

import argparse
from pathlib import Path
from typing import Any

from tf_models.command_line import (
    Parser,
    add_run_arguments,
    add_sections,
    given_settings,
    quiet_tensorflow,
    refuse_options,
    train_to_end,
)
from tf_models.errors import InputError, TrainingInterrupted
from tf_models.image_options import add_image_arguments, load_images_of
from tf_models.tasks.autoencoding.options import suited_to
from tf_models.tasks.autoencoding.settings import (
    IMAGE_MODELS,
    SEQUENCE_MODELS,
    ImageRunSettings,
    SentenceRunSettings,
    default_settings,
)

EXAMPLES = """\
  tf-models train-autoencoder
      the embedded digits through 32 numbers, in seconds
  tf-models train-autoencoder --model convolutional --masking-noise 0.3
      images with three of ten pixels missing become whole
  tf-models train-autoencoder --dataset photos --image-size 32
      images of your own: a folder of PNG or JPEG files of any sizes
Ctrl-C saves; the same command goes on where it stopped."""
MORE = """\
  tf-models train-autoencoder --model convolutional --dataset mnist \\
      --data-dir data
      MNIST through TFDS, codes of 128
  tf-models train-autoencoder --model one-hot
      four numbers through two: the codes are 00, 01, 10, 11
  tf-models train-autoencoder --model linear
      beside PCA
  tf-models train-autoencoder --without-class 8 --run-dir runs/without-8
      an eight is an anomaly then: its error tells
  tf-models train-autoencoder --model stacked
      layer after layer, then the whole network
  tf-models train-autoencoder --model bi-lstm
      sentences of the embedded corpus through one vector; or with --dataset sentences.txt"""
COMMON = {
    "--model": "",
    "--dataset": "",
    "--image-size": "bring images of a folder to one size",
    "--data-dir": "",
    "--run-dir": "",
    "--epochs": "passes over the images or sentences",
    "--minutes": "end after so long",
    "--code-size": "how many numbers an image goes through",
    "--masking-noise": "share of the pixels that are missing from inputs",
    "--without-class": "",
    "--learning-rate": "at its highest",
}

MODELS = {**IMAGE_MODELS, **SEQUENCE_MODELS}
ONE_HOT = "one-hot"
COLOUR_MODEL = "convolutional"


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES, MORE, COMMON)
    parser.add_argument(
        "--model",
        metavar="NAME",
        help=f"{', '.join(MODELS)}; default: dense, of coloured pictures convolutional",
    )
    data = add_image_arguments(parser)
    data.add_argument("--without-class", metavar="C", help="train on the others only")
    for title in ("inputs", "model", "objective"):
        group = parser.add_argument_group(f"{title} of images")
        decided = ("network", "code_noise")  # by the model
        add_sections(group, IMAGE_MODELS, title, leave_out=decided)
    sentences = parser.add_argument_group(
        f"{' and '.join(SEQUENCE_MODELS)} (--dataset is a file of sentences, one a line, or a "
        "corpus, as train-translator has it)"
    )
    sentences.add_argument("--language", metavar="CODE", help="of the sentences; default: en")
    shared = ("code_size", "bidirectional")  # with images, or decided by the model
    add_sections(sentences, SEQUENCE_MODELS, "model", "tokenizer", leave_out=shared)
    group = add_run_arguments(parser, "runs/DATASET-MODEL")
    add_sections(group, MODELS, "optimizer", "training")
    return parser


def main(arguments: argparse.Namespace) -> None:
    model = "dense" if arguments.model is None else arguments.model
    settings = settings_from(arguments, model)  # refused before images are read
    train = train_on_sentences if model in SEQUENCE_MODELS else train_on_images
    train(arguments, settings)


def settings_from(arguments: argparse.Namespace, model: str) -> Any:
    start = default_settings(model, MODELS)
    given = given_settings(arguments, *MODELS.values())
    known = start.flat().keys()
    if model in IMAGE_MODELS:
        known -= start.model.of_other_networks
    refuse_options(f"--model {model}", [name for name in given if name not in known])
    return start.changed(**given)


def train_on_images(arguments: argparse.Namespace, settings: ImageRunSettings) -> None:
    if arguments.language is not None:
        raise InputError(f"--model {settings.variant} has no --language")
    with quiet_tensorflow():
        from tf_models.tasks.autoencoding.evaluation import report_images
        from tf_models.tasks.autoencoding.train import train_autoencoder
        from tf_models.training.strategy import make_strategy
    strategy = make_strategy()
    images = load(arguments)
    print(images.describe())
    chosen = {}
    if images.shape[-1] > 1 and arguments.model is None and arguments.units is None:
        chosen["model"] = COLOUR_MODEL
        settings = settings_from(arguments, COLOUR_MODEL)
    settings = suited_to(images, settings, arguments, chosen)
    run_dir = arguments.run_dir or Path("runs") / f"{images.label}-{settings.variant}"
    options = {"minutes": arguments.minutes, "strategy": strategy}
    training = train_autoencoder(run_dir, images, settings, arguments.seed, **options)
    if training is None:
        raise TrainingInterrupted(run_dir)
    if training.is_chief:
        report_images(training.run, images)


def load(arguments: argparse.Namespace) -> Any:
    """The images of the command line, or the four vectors, perhaps without a class."""
    if arguments.model == ONE_HOT:
        from tf_models.data.images.loading import one_hot_images

        if arguments.dataset or arguments.image_size:
            raise InputError(
                "--model one-hot brings its own four vectors; leave out --dataset and --image-size"
            )
        images = one_hot_images()
    else:
        images = load_images_of(arguments)
    if arguments.without_class is not None:
        return images.without_class(images.class_number(arguments.without_class))
    return images


def train_on_sentences(arguments: argparse.Namespace, settings: SentenceRunSettings) -> None:
    foreign = [n for n in ("without_class", "image_size") if getattr(arguments, n) is not None]
    refuse_options(f"--model {settings.variant}", foreign)
    with quiet_tensorflow():
        from tf_models.data.text.corpora import load_sentences
        from tf_models.tasks.autoencoding.evaluation import report_sentences
        from tf_models.tasks.autoencoding.sentences import prepare_sequence_training, sources
        from tf_models.training.run_directory import RunDirectory
        from tf_models.training.strategy import make_strategy
    strategy = make_strategy()
    corpus = load_sentences(
        arguments.dataset or "everyday",
        arguments.language,
        data_dir=arguments.data_dir,
        seed=arguments.seed,
    )
    run_dir = arguments.run_dir or Path("runs") / f"{Path(corpus.name).stem}-{arguments.model}"
    options = {"strategy": strategy, "minutes": arguments.minutes}
    training = prepare_sequence_training(
        RunDirectory(run_dir), corpus, settings, arguments.seed, **options
    )
    train_to_end(training, lambda: report_sentences(training.run, sources(corpus.test)))
