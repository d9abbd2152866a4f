"""How often a classifier of images is right, and what the end of its training shows."""

from pathlib import Path

from tf_models.data.images.dataset import ImageSet
from tf_models.errors import InputError, Report
from tf_models.plotting.files import save_figures
from tf_models.tasks.classification.figures import OF_IMAGES
from tf_models.tasks.classification.images.classifier import ImageClassifier
from tf_models.tasks.classification.scores import ClassScores
from tf_models.training.run_directory import RunDirectory


def scores_of(classifier: ImageClassifier, images: ImageSet) -> ClassScores:
    """Of its test images; an InputError if they have no labels, or others than the classifier."""
    tests, classes = images.test, classifier.classes
    if tests.labels is None or tests.labels.max() >= len(classes):
        raise InputError(
            f"the test images of {images.name} must be of the classes {', '.join(classes)}"
        )
    predicted = classifier.probabilities(images.pixels(tests)).argmax(axis=-1)
    named = ([classes[number] for number in numbers] for numbers in (tests.labels, predicted))
    return ClassScores.of(classes, *named)


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
    scores = report_tests(classifier, images, report)
    f1 = dict(zip(scores.classes, scores.f1.tolist(), strict=True))
    return {"images": len(images.test), "accuracy": scores.accuracy, "f1": f1}


def report_tests(
    classifier: ImageClassifier, images: ImageSet, report: Report = print
) -> ClassScores:
    """Accuracy on the test images, and scores of each class."""
    scores = scores_of(classifier, images)
    report(f"{len(images.test):,} test images: accuracy {scores.accuracy:.2%}\n")
    scores.report("images", report)
    return scores


def report_image_classifier(run: RunDirectory, images: ImageSet, report: Report = print) -> None:
    """Score the trained classifier on the test images, and draw."""
    classifier = ImageClassifier.load(run.path)
    report("")
    options = {"confusion": {"scores": report_tests(classifier, images, report)}}
    figures = {
        name: OF_IMAGES.draw(name, classifier, **options.get(name, {}))
        for name in OF_IMAGES.entries
    }
    save_figures(figures, run.figures, report)
