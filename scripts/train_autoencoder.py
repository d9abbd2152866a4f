"""Train an autoencoder, then measure it and draw what it makes."""

import argparse
import math
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
from tf_models.errors import InputError
from tf_models.tasks.autoencoding.autoencoder_settings import IMAGE_MODELS, AutoencoderSettings
from tf_models.tasks.autoencoding.sentence_settings import SEQUENCE_MODELS, SequenceSettings

EXAMPLES = """\
  python scripts/train_autoencoder.py
      the embedded digits through 32 numbers, in seconds
  python scripts/train_autoencoder.py --model one-hot
      four numbers through two: the codes are 00, 01, 10, 11
  python scripts/train_autoencoder.py --model linear
      beside PCA
  python scripts/train_autoencoder.py --model convolutional --dataset mnist --data-dir data
      MNIST through TFDS, codes of 128
  python scripts/train_autoencoder.py --model convolutional --masking-noise 0.3 \\
      --run-dir runs/denoising
      images with three of ten pixels missing become whole
  python scripts/train_autoencoder.py --without-class 8 --run-dir runs/without-8
      an eight is an anomaly then: its error tells
  python scripts/train_autoencoder.py --model stacked
      layer after layer, then the whole network
  python scripts/train_autoencoder.py --model bi-lstm
      sentences of the embedded corpus through one vector
Ctrl-C saves; the same command goes on where it stopped."""

MODELS = {**IMAGE_MODELS, **SEQUENCE_MODELS}
ONE_HOT = "one-hot"
SHOWN_SENTENCES = 5


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("--model", default="dense", help=f"{', '.join(MODELS)}; default: dense")
    data = add_image_arguments(parser, binarisation="none")
    data.add_argument("--without-class", metavar="C", help="train on the others only")
    network = parser.add_argument_group("network (defaults: the model's)")
    network.add_argument("--code-size", type=int, metavar="N")
    network.add_argument("--units", type=numbers, metavar="N,N", help="dense hidden layers")
    network.add_argument("--filters", type=numbers, metavar="N,N", help="convolutions")
    network.add_argument("--activation", help="of hidden layers: relu, tanh, sigmoid …")
    network.add_argument("--code-activation")
    network.add_argument("--output-activation")
    network.add_argument("--loss", help="mse or bernoulli")
    sentences = parser.add_argument_group(
        f"{' and '.join(SEQUENCE_MODELS)} (--dataset is a corpus, as train_translator.py has it)"
    )
    sentences.add_argument("--language", metavar="CODE", help="of the sentences; default: en")
    sentences.add_argument("--embedding-dim", type=int, metavar="N")
    sentences.add_argument("--pieces", type=int, metavar="N", help="subword pieces")
    training = add_training_arguments(parser, "runs/DATASET-MODEL", "images or sentences")
    training.add_argument("--learning-rate", type=float, metavar="R")
    training.add_argument("--schedule", help="cosine or constant")
    training.add_argument(
        "--pretrain-epochs",
        type=int,
        metavar="N",
        help="of each layer, as --minutes are, too",
    )
    return parser


def main(arguments: argparse.Namespace) -> int | None:
    settings = settings_from(arguments)
    train = train_on_sentences if arguments.model in SEQUENCE_MODELS else train_on_images
    return train(arguments, settings)


def settings_from(arguments: argparse.Namespace) -> AutoencoderSettings | SequenceSettings:
    if arguments.model not in MODELS:
        raise InputError(
            f"--model must be one of {', '.join(MODELS)}; received {arguments.model!r}"
        )
    start = MODELS[arguments.model]
    known = start.as_dict().keys()
    if isinstance(start, AutoencoderSettings):
        known -= start.of_other_networks
    names = {*AutoencoderSettings().as_dict(), *SequenceSettings().as_dict()}
    given = {
        name: value
        for name, value in vars(arguments).items()
        if name in names and value is not None
    }
    refuse_options(f"--model {arguments.model}", [name for name in given if name not in known])
    return start.changed(**given)


def train_on_images(arguments: argparse.Namespace, settings: AutoencoderSettings) -> int | None:
    with quiet_tensorflow():
        images = load(arguments)
    print(images.describe())
    run_dir = arguments.run_dir or Path("runs") / f"{images.label}-{arguments.model}"
    training = train_images(run_dir, images, settings, arguments.seed, arguments.minutes)
    if training is None:
        print(f"interrupted and saved in {run_dir}; the same command goes on from here")
        return INTERRUPTED
    show_images(training.run, images)
    return None


def train_images(
    run_dir: Path, images, settings: AutoencoderSettings, seed: int, minutes: float = math.inf
):
    """Train in a run directory; None if Ctrl-C ended it."""
    with quiet_tensorflow():
        from tf_models.tasks.autoencoding.autoencoder_family import AUTOENCODER_FAMILY
        from tf_models.tasks.autoencoding.stacked import pretrain
        from tf_models.tasks.autoencoding.train import prepare_image_training
        from tf_models.training.run_directory import RunDirectory
    training = prepare_image_training(
        AUTOENCODER_FAMILY, RunDirectory(run_dir), images, settings, seed
    )
    print(f"model: {training.model.count_params():,} parameters; run directory {run_dir}")
    if settings.pretrain_epochs and not pretrain(training, images, settings, seed, minutes=minutes):
        return None
    finished = training.loop.fit(settings.epochs, settings.checkpoint_every, minutes=minutes)
    return training if finished else None


def load(arguments: argparse.Namespace):
    from tf_models.data.images.loading import EMBEDDED, load_images, one_hot_images

    if arguments.model == ONE_HOT:
        if arguments.dataset:
            raise InputError("--model one-hot brings its own four vectors; leave out --dataset")
        images = one_hot_images()
    else:
        images = load_images(
            arguments.dataset or EMBEDDED, data_dir=arguments.data_dir, seed=arguments.seed
        )
    if arguments.without_class is not None:
        return images.without_class(images.class_number(arguments.without_class))
    return images


def show_images(run_directory, images) -> None:
    """What the trained model makes of the test images: numbers, then figures."""
    from plot_autoencoder import draw_figures

    from tf_models.tasks.autoencoding.anomalies import reconstruction_errors, roc
    from tf_models.tasks.autoencoding.pca import compare_with_pca, has_pca
    from tf_models.tasks.autoencoding.trained_model import ImageModel

    model = ImageModel.load(run_directory.path)
    tests = images.pixels(images.test)
    errors = reconstruction_errors(tests, model.reconstruct(tests))
    pixels = tests[0].size
    print(
        f"\n{len(tests)} test images through {model.code_size} numbers: squared error "
        f"{errors.mean():.4g} an image, {errors.mean() / pixels:.4g} a pixel"
    )
    if images.name == ONE_HOT:
        show_codes(model, tests)
    if has_pca(model, images):
        print(compare_with_pca(model, images))
    if model.left_out_class is not None:
        *_, area = roc(errors, images.test.labels == model.left_out_class)
        name = images.class_name(model.left_out_class)
        print(f"class {name} by its error: area under the ROC curve {area:.3f}")
    draw_figures(model, images, run_directory)


def show_codes(model, tests) -> None:
    """One-hot numbers, their codes, and what comes back."""
    codes = model.encode(tests)
    for one_hot, code, back in zip(tests, codes, model.decode(codes), strict=True):
        vectors = (" ".join(f"{value:.0f}" for value in x.ravel()) for x in (one_hot, back))
        bits = "".join(f"{value:.0f}" for value in code)
        exact = ", ".join(f"{value:.3f}" for value in code)
        print(f"  {next(vectors)} -> {bits} -> {next(vectors)}   ({exact})")


def train_on_sentences(arguments: argparse.Namespace, settings: SequenceSettings) -> int | None:
    if arguments.without_class is not None:
        raise InputError(f"--model {arguments.model} has no --without-class")
    with quiet_tensorflow():
        from tf_models.data.text.corpora import load_corpus
        from tf_models.tasks.autoencoding.sentences import prepare_sequence_training, sources
        from tf_models.training.run_directory import RunDirectory
    corpus = load_corpus(
        arguments.dataset or "toy",
        source_language=arguments.language,
        data_dir=arguments.data_dir,
        seed=arguments.seed,
    )
    run_dir = arguments.run_dir or Path("runs") / f"{Path(corpus.name).stem}-{arguments.model}"
    training = prepare_sequence_training(RunDirectory(run_dir), corpus, settings, arguments.seed)
    print(f"model: {training.model.count_params():,} parameters; run directory {run_dir}")
    if not training.loop.fit(settings.epochs, settings.checkpoint_every, minutes=arguments.minutes):
        print(f"interrupted and saved in {run_dir}; the same command goes on from here")
        return INTERRUPTED
    show_sentences(training.run, sources(corpus.test))
    return None


def show_sentences(run_directory, sentences: list[str]) -> None:
    """Held-out sentences that come back as they were, and a few of all."""
    from tf_models.plotting.files import save_figure
    from tf_models.plotting.training_curves import plot_training_curves
    from tf_models.tasks.autoencoding.sentence_coder import SentenceCoder
    from tf_models.training.history import History

    coder = SentenceCoder.load(run_directory.path)
    written = coder.reconstruct(sentences, progress=True)
    exact = [one == other for one, other in zip(sentences, written, strict=True)]
    print(
        f"\n{len(sentences)} held-out sentences through {coder.code_size} numbers (hidden and cell "
        f"state): {sum(exact) / len(exact):.1%} come back exactly"
    )
    for sentence, back in list(zip(sentences, written, strict=True))[:SHOWN_SENTENCES]:
        print(f"\n  read     {sentence}\n  written  {back}")
    path = run_directory.figures / "training.png"
    save_figure(plot_training_curves(History(run_directory.history_file).columns()), path)
    print(f"\nfigures:\n  {path}")


if __name__ == "__main__":
    run(make_parser(), main)
