"""Classifiers on codes, with few labels and with many."""

from collections import defaultdict
from collections.abc import Callable, Sequence

import keras
import numpy as np
import tensorflow as tf
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from tf_models.autoencoding.model import outputs_of
from tf_models.data.images import ImageSet, ImageSplit

BATCH_SIZE = 32
STEPS, EPOCHS = 1500, 10  # of fine-tuning, at least
LEARNING_RATE = 1e-3


def labelled(split: ImageSplit, count: int, seed: int) -> ImageSplit:
    """Images whose labels are known: `count` of them at random, each class as often, as long as it
    has so many.
    """
    order = np.random.default_rng(seed).permutation(len(split))
    labels, rank = np.asarray(split.labels), np.empty(len(split), int)  # among those of its class
    for number in np.unique(labels):
        of_class = order[labels[order] == number]
        rank[of_class] = np.arange(len(of_class))
    return split[np.sort(order[np.argsort(rank[order], kind="stable")][:count])]


def svm_accuracy(
    codes: np.ndarray, labels: np.ndarray, test_codes: np.ndarray, test_labels: np.ndarray
) -> float:
    """Share of test codes that a support vector machine with a radial kernel puts right, 0 to 1.

    Codes are (images, code_size), labels are class numbers, (images,).
    """
    machine = make_pipeline(StandardScaler(), SVC(C=10.0))
    return float(machine.fit(codes, labels).score(test_codes, test_labels))


def fine_tune(
    encoder: keras.Model, images: np.ndarray, labels: np.ndarray, classes: int, seed: int
) -> keras.Sequential:
    """Train a copy of an encoder, trained or not, with a fully connected head for so many classes.

    Of images (n, height, width, channels), 0 to 1, and class numbers (n,); the seed is that of head
    and order.

    Returns:
        a model of images -> probabilities (batch, classes).
    """
    keras.utils.set_random_seed(seed)
    steps = max(STEPS, EPOCHS * -(-len(images) // BATCH_SIZE))
    copy = keras.models.clone_model(encoder)
    copy.set_weights(encoder.get_weights())
    head = keras.layers.Dense(classes, activation="softmax", name="head")
    model = keras.Sequential([keras.Input(encoder.input_shape[1:]), copy, head])
    model.compile(
        keras.optimizers.Adam(keras.optimizers.schedules.CosineDecay(LEARNING_RATE, steps)),
        "sparse_categorical_crossentropy",
        metrics=["accuracy"],
        steps_per_execution=EPOCHS,  # it divides the number of steps
    )
    data = tf.data.Dataset.from_tensor_slices((images, labels))
    data = data.shuffle(len(images), seed=seed).repeat().batch(BATCH_SIZE)
    model.fit(data, steps_per_epoch=steps, shuffle=False, verbose=0)
    return model


def accuracy(model: keras.Model, images: np.ndarray, labels: np.ndarray) -> float:
    """Share of images (n, height, width, channels) whose labels (n,) a classifier finds, 0 to 1."""
    predicted = outputs_of(model, images).argmax(axis=-1)
    return float(np.mean(predicted == labels))


def compare(
    pretrained: keras.Model,
    make_random: Callable[[], keras.Model],
    images: ImageSet,
    counts: Sequence[int],
    seeds: Sequence[int] = (0,),
) -> dict[str, np.ndarray]:
    """A trained encoder against the same one with random weights, at several numbers of labels.

    `make_random` makes one of the same shape with new random weights. The encoders are trained and
    measured on the pixels of the images. Each seed decides which labels are known, and the
    training.

    Returns:
        by name, test accuracies (0 to 1), (counts, seeds): of an SVM on pixels and on codes, and
        of fine-tuned encoders from random and from trained weights. Test images of a class that
        no training image is of do not count.
    """
    runs = [(seed, labelled(images.train, count, seed)) for count in counts for seed in seeds]
    test = images.test[np.isin(images.test.labels, images.train.labels)]
    x_test, classes = images.pixels(test), int(np.max(images.train.labels)) + 1
    ways = {"pixels": lambda x: x.reshape(len(x), -1), "codes": lambda x: outputs_of(pretrained, x)}
    accuracies = defaultdict(list)
    for seed, known in runs:
        x = images.pixels(known)
        for name, features in ways.items():
            share = svm_accuracy(features(x), known.labels, features(x_test), test.labels)
            accuracies[f"SVM on {name}"].append(share)
        keras.utils.set_random_seed(seed)
        for name, encoder in (("random", make_random()), ("trained", pretrained)):
            model = fine_tune(encoder, x, known.labels, classes, seed)
            share = accuracy(model, x_test, test.labels)
            accuracies[f"network from {name} weights"].append(share)
    shape = (len(counts), len(seeds))
    return {name: np.reshape(shares, shape) for name, shares in accuracies.items()}
