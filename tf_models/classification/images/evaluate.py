"""Scores of a classifier of images."""

from pathlib import Path

from sklearn.metrics import accuracy_score, classification_report

from tf_models.classification.evaluate import scores
from tf_models.classification.figures import OF_IMAGES
from tf_models.classification.images.classifier import ImageClassifier
from tf_models.data.images import ImageSet
from tf_models.errors import InputError, Report
from tf_models.plotting.files import save_figures
from tf_models.training.run_directory import RunDirectory


def classify_tests(classifier: ImageClassifier, images: ImageSet) -> tuple[list[str], list[str]]:
    """Right and predicted classes of its test images; an InputError if they have no labels, or
    others than the classifier.
    """
    tests, classes = images.test, classifier.classes
    if tests.labels is None or tests.labels.max() >= len(classes):
        raise InputError(
            f"the test images of {images.name} must be of the classes {', '.join(classes)}"
        )
    predicted = classifier.probabilities(images.pixels(tests)).argmax(axis=-1)
    return [classes[i] for i in tests.labels], [classes[i] for i in predicted]


def evaluate_run(
    run_dir: Path,
    *,
    checkpoint: str | None = None,
    dataset: str | None = None,
    data_dir: Path | None = None,
    report: Report = print,
) -> dict:
    """Score a trained classifier, at the checkpoint "best" (the default), "latest" or a name, on
    the test images of a dataset (see `load_images`), of its own if left out.

    Returns accuracy, and F1 of each class, 0 to 1, by name. Raises InputError: the images or the
    run cannot be read.
    """
    classifier = ImageClassifier.load(run_dir, checkpoint)
    images = classifier.origin.load(dataset, data_dir)
    right, predicted = report_tests(classifier, images, report)
    return {"images": len(right), **scores(right, predicted, classifier.classes)}


def report_tests(
    classifier: ImageClassifier, images: ImageSet, report: Report = print
) -> tuple[list[str], list[str]]:
    """Accuracy on the test images, and scores of each class; returns `classify_tests`."""
    right, predicted = classify_tests(classifier, images)
    labels = list(classifier.classes)
    report(f"{len(right):,} test images: accuracy {accuracy_score(right, predicted):.2%}\n")
    report(classification_report(right, predicted, labels=labels, digits=3, zero_division=0))
    return right, predicted


def report_image_classifier(run: RunDirectory, images: ImageSet, report: Report = print) -> None:
    """Score the trained classifier on the test images, and draw."""
    classifier = ImageClassifier.load(run.path)
    report("")
    right, predicted = report_tests(classifier, images, report)
    figures = {
        "attention": OF_IMAGES.draw("attention", classifier),
        "confusion": OF_IMAGES.draw("confusion", classifier, right=right, predicted=predicted),
        "training": OF_IMAGES.draw("training", classifier),
    }
    save_figures(figures, run.figures, report)
