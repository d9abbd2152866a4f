"""Train an autoencoder, then measure it and draw what it makes.

$ tf-models train-autoencoder
    the embedded digits through 32 numbers, in seconds
$ tf-models train-autoencoder --model bi-lstm
    sentences of the embedded corpus through one vector; or with --dataset sentences.txt
"""

from pathlib import Path
from typing import Any

from tf_models.autoencoding.settings import Preset, SentenceRunSettings, preset
from tf_models.cli.command_line import (
    ImageArguments,
    forbid,
    parse_known,
    parse_training,
    quiet_tensorflow,
)
from tf_models.training.settings import FittedSettings


class Model(ImageArguments):
    """Arguments that decide which settings there are."""

    model: Preset | None = None
    """Preset to start from; it decides which other options there are; if left out, dense, or for a
    folder of images convolutional."""
    dataset: str | None = None
    """digits, mnist, fashion_mnist, an .npz file as Keras has it, or a folder of images; for lstm
    and bi-lstm a corpus or a file of sentences; if left out, digits, or everyday."""

    @property
    def preset(self) -> Preset:
        """The preset of the model or of the images."""
        return self.model or ("convolutional" if Path(self.images).is_dir() else "dense")


class Arguments(Model):
    without_class: str | None = None
    """Train on images of the other classes only."""
    language: str | None = None
    """Language of the sentences, for lstm and bi-lstm; if left out, en."""
    settings: FittedSettings


def main() -> None:
    settings = preset(parse_known(Model).preset)
    arguments = parse_training(Arguments, settings)
    with quiet_tensorflow():
        from tf_models.autoencoding.sentences import train_sentence_autoencoder
        from tf_models.autoencoding.train import train_image_model
        from tf_models.data.corpora import load_sentences
        from tf_models.data.images import load_images, one_hot_images
    chosen: Any = arguments.settings
    of_sentences = isinstance(settings, SentenceRunSettings)
    unused = {"without_class", "image_size"} if of_sentences else {"language"}
    if arguments.model == "one-hot":
        unused |= {"dataset", "image_size"}
    forbid(arguments, unused, f"--model {arguments.preset}")
    if of_sentences:
        dataset = arguments.dataset or "everyday"
        corpus = load_sentences(
            dataset, arguments.language, data_dir=arguments.data_dir, seed=arguments.seed
        )
        run_dir = arguments.run_in(f"{Path(corpus.name).stem}-{arguments.preset}")
        train_sentence_autoencoder(
            run_dir, corpus, chosen, seed=arguments.seed, minutes=arguments.minutes
        )
        return
    if arguments.model == "one-hot":
        images = one_hot_images()
    else:
        images = load_images(
            arguments.images,
            data_dir=arguments.data_dir,
            seed=arguments.seed,
            image_size=arguments.height_and_width,
        )
    if arguments.without_class is not None:
        images = images.without_class(arguments.without_class)
    run_dir = arguments.run_in(f"{images.label}-{arguments.preset}")
    train_image_model(run_dir, images, chosen, seed=arguments.seed, minutes=arguments.minutes)
