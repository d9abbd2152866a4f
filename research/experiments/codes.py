"""Images classified by codes that were learnt without labels: with few labels, and with many."""

from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from research.experiments.recipe import Run, SeriesRecipe, Values
from tf_models.data.images import ImageSet, ImageSplit

if TYPE_CHECKING:
    import keras

    from tf_models.autoencoding.model import ImageModel

BATCH_SIZE = 32
EPOCHS = 10  # of fine-tuning, at least; so many steps are one call
LEARNING_RATE = 1e-3


class Codes(SeriesRecipe):
    """An SVM on codes, and the encoder with a new layer on it; each seed has other labels."""

    name = "codes"
    question = "what are codes worth that were learnt without labels?"
    axis_names = ("training images with a label", "classification accuracy (%)")
    trains = False

    @classmethod
    def add_options(cls, parser: ArgumentParser) -> None:
        help = "of an autoencoder or a VAE"
        parser.add_argument("--encoder-from", type=Path, required=True, metavar="RUN", help=help)
        parser.add_argument("--data-dir", type=Path, help="folder of TFDS data sets")
        help = "of images with a label; default: 100,1000,all"
        parser.add_argument("--counts", default="100,1000,all", metavar="N,N", help=help)
        help = f"of fine-tuning, a multiple of {EPOCHS}; {EPOCHS} epochs at least; default: 1500"
        parser.add_argument("--steps", type=int, default=1500, metavar="N", help=help)

    def measure(self, run: Run) -> Mapping[str, Values]:
        from tf_models.autoencoding.model import ImageModel

        model = ImageModel.load(self.arguments.encoder_from)
        images = model.origin.load(data_dir=self.arguments.data_dir)
        rows: dict[str, dict[str, float | None]] = defaultdict(dict)
        for text in self.arguments.counts.split(","):
            count = len(images.train) if text == "all" else int(text)
            for name, share in compare(
                model, images, count, run.seed, self.arguments.steps
            ).items():
                rows[name][f"{count:,} labels, %"] = 100 * share
        return rows


def labelled(split: ImageSplit, count: int, seed: int) -> ImageSplit:
    """`count` images at random, each class as often, as long as it has so many."""
    order = np.random.default_rng(seed).permutation(len(split))
    labels, rank = split.labels, np.empty(len(split), int)  # among those of its class
    for number in np.unique(labels):
        of_class = order[labels[order] == number]
        rank[of_class] = np.arange(len(of_class))
    return split[np.sort(order[np.argsort(rank[order], kind="stable")][:count])]


def compare(
    model: "ImageModel", images: ImageSet, count: int, seed: int, steps: int
) -> dict[str, float]:
    """Test accuracies, 0 to 1, of images of the classes of training, where `count` have labels."""
    import keras
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    from tf_models.autoencoding.model import outputs_of

    known, trained = labelled(images.train, count, seed), model.code_encoder()
    test = images.test[np.isin(images.test.labels, images.train.labels)]
    x, x_test = images.pixels(known), images.pixels(test)
    ways = {"pixels": lambda x: x.reshape(len(x), -1), "codes": lambda x: outputs_of(trained, x)}
    shares = {}
    for name, features in ways.items():
        machine = make_pipeline(StandardScaler(), SVC(C=10.0)).fit(features(x), known.labels)
        shares[f"SVM on {name}"] = float(machine.score(features(x_test), test.labels))
    keras.utils.set_random_seed(seed)
    for name, encoder in (("random", keras.models.clone_model(trained)), ("trained", trained)):
        classes = int(np.max(images.train.labels)) + 1
        predicted = outputs_of(fine_tune(encoder, x, known.labels, classes, seed, steps), x_test)
        shares[f"network from {name} weights"] = np.mean(predicted.argmax(axis=-1) == test.labels)
    return shares


def fine_tune(
    encoder: "keras.Model",
    images: np.ndarray,
    labels: np.ndarray,
    classes: int,
    seed: int,
    steps: int,
) -> "keras.Sequential":
    """Train a copy of an encoder with a new layer for so many classes on it."""
    import keras
    import tensorflow as tf

    keras.utils.set_random_seed(seed)
    steps = max(steps, EPOCHS * -(-len(images) // BATCH_SIZE))
    copy = keras.models.clone_model(encoder)
    copy.set_weights(encoder.get_weights())
    head = keras.layers.Dense(classes, activation="softmax")
    model = keras.Sequential([keras.Input(encoder.input_shape[1:]), copy, head])
    model.compile(
        keras.optimizers.Adam(keras.optimizers.schedules.CosineDecay(LEARNING_RATE, steps)),
        "sparse_categorical_crossentropy",
        steps_per_execution=EPOCHS,  # it divides the number of steps
    )
    data = tf.data.Dataset.from_tensor_slices((images, labels)).shuffle(len(images), seed=seed)
    model.fit(data.repeat().batch(BATCH_SIZE), steps_per_epoch=steps, shuffle=False, verbose=0)
    return model
