"""Classifiers on codes, with few labels and with many."""

from collections.abc import Callable

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
        steps_per_execution=EPOCHS,  # it divides the number of steps
    )
    data = tf.data.Dataset.from_tensor_slices((images, labels))
    data = data.shuffle(len(images), seed=seed).repeat().batch(BATCH_SIZE)
    model.fit(data, steps_per_epoch=steps, shuffle=False, verbose=0)
    return model


def compare(
    trained: keras.Model,
    make_random: Callable[[], keras.Model],
    images: ImageSet,
    count: int,
    seed: int = 0,
) -> dict[str, float]:
    """A trained encoder against the same one with random weights, where `count` labels are known.

    `make_random` makes one of the same shape with new random weights. The seed decides which labels
    are known, and the training.

    Returns:
        by name, test accuracies (0 to 1) of an SVM on pixels and on codes, and of fine-tuned
        encoders from random and from trained weights. Test images of a class that no training image
        is of do not count.
    """
    known, classes = labelled(images.train, count, seed), int(np.max(images.train.labels)) + 1
    test = images.test[np.isin(images.test.labels, images.train.labels)]
    x, x_test = images.pixels(known), images.pixels(test)
    ways = {"pixels": lambda x: x.reshape(len(x), -1), "codes": lambda x: outputs_of(trained, x)}
    accuracies = {
        f"SVM on {name}": svm_accuracy(features(x), known.labels, features(x_test), test.labels)
        for name, features in ways.items()
    }
    keras.utils.set_random_seed(seed)
    for name, encoder in (("random", make_random()), ("trained", trained)):
        model = fine_tune(encoder, x, known.labels, classes, seed)
        found = outputs_of(model, x_test).argmax(axis=-1) == test.labels
        accuracies[f"network from {name} weights"] = float(found.mean())
    return accuracies
