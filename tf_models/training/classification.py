"""What codes are good for: classifiers on them, with few labels and with many."""

from collections.abc import Sequence

import keras
import numpy as np

from tf_models.autoencoders.stacked import classifier
from tf_models.data.images import ImageSplit
from tf_models.errors import InputError

BATCH_SIZE = 32
STEPS = 1500  # of fine-tuning, whatever the number of labels
LEARNING_RATE = 1e-3


def labelled(split: ImageSplit, count: int, seed: int) -> ImageSplit:
    """Images whose labels are known: `count` of them at random, each class as often.

    Raises:
        InputError: there are no labels, or fewer images or more classes than `count`.
    """
    if split.labels is None:
        raise InputError("these images have no labels to classify by")
    classes = np.unique(split.labels)
    if not len(classes) <= count <= len(split):
        raise InputError(
            f"the number of labels must be {len(classes)} (one a class) to {len(split)}; "
            f"received {count}"
        )
    order = np.random.default_rng(seed).permutation(len(split))
    # Round by round one image of each class, as long as it has any.
    rank = np.empty(len(split), int)
    for number in classes:
        of_class = order[split.labels[order] == number]
        rank[of_class] = np.arange(len(of_class))
    return split[np.sort(order[np.argsort(rank[order], kind="stable")][:count])]


def svm_accuracy(
    codes: np.ndarray, labels: np.ndarray, test_codes: np.ndarray, test_labels: np.ndarray
) -> float:
    """Share of test codes that a support vector machine with a radial kernel puts right, 0 to 1.

    Args:
        codes, test_codes: (images, code_size).
        labels, test_labels: class numbers, (images,).
    """
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    machine = make_pipeline(StandardScaler(), SVC(C=10.0))
    return float(machine.fit(codes, labels).score(test_codes, test_labels))


def fine_tune(
    encoder: keras.Model, images: np.ndarray, labels: np.ndarray, classes: int, seed: int
) -> keras.Sequential:
    """Train a copy of an encoder with a fully connected head.

    Args:
        encoder: trained or not; it stays as it is.
        images: (n, height, width, channels), 0 to 1.
        labels: class numbers, (n,).
        classes: their number.
        seed: of head and order.
    """
    keras.utils.set_random_seed(seed)
    copy = keras.models.clone_model(encoder)
    copy.set_weights(encoder.get_weights())
    model = classifier(copy, classes)
    model.compile(
        keras.optimizers.Adam(keras.optimizers.schedules.CosineDecay(LEARNING_RATE, STEPS)),
        "sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    epochs = -(-STEPS * BATCH_SIZE // len(images))
    model.fit(images, labels, batch_size=BATCH_SIZE, epochs=epochs, verbose=0)
    return model


def accuracy(model: keras.Model, images: np.ndarray, labels: np.ndarray) -> float:
    """Share of images that a classifier puts right, 0 to 1."""
    predicted = model.predict(images, batch_size=500, verbose=0).argmax(axis=-1)
    return float(np.mean(predicted == labels))


def compare(
    pretrained: keras.Model,
    random: keras.Model,
    train: ImageSplit,
    test: ImageSplit,
    maximum: int,
    counts: Sequence[int],
    seed: int,
) -> list[dict[str, float]]:
    """A trained encoder against the same one with random weights, at several numbers of labels.

    Args:
        pretrained, random: encoders of the same shape.
        train, test: with labels.
        maximum: the value that becomes 1.
        counts: numbers of labels.
        seed: which labels are known, and of the training.

    Returns:
        for each count the test accuracies of an SVM on pixels and on codes, and of fine-tuned
        encoders from random and from trained weights.
    """
    classes = int(max(train.labels.max(), test.labels.max())) + 1
    x_test = test.images / np.float32(maximum)
    rows = []
    for count in counts:
        known = labelled(train, count, seed)
        x = known.images / np.float32(maximum)
        rows.append(
            {
                "labels": count,
                "SVM on pixels": svm_accuracy(
                    x.reshape(count, -1), known.labels, x_test.reshape(len(x_test), -1), test.labels
                ),
                "SVM on codes": svm_accuracy(
                    pretrained.predict(x, verbose=0),
                    known.labels,
                    pretrained.predict(x_test, batch_size=500, verbose=0),
                    test.labels,
                ),
                **{
                    name: accuracy(
                        fine_tune(encoder, x, known.labels, classes, seed), x_test, test.labels
                    )
                    for name, encoder in (
                        ("network from random weights", random),
                        ("network from trained weights", pretrained),
                    )
                },
            }
        )
    return rows
