"""Scores of a classifier of texts or images, beside baselines."""

from collections.abc import Mapping, Sequence

import numpy as np
from sklearn.base import ClassifierMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, classification_report
from sklearn.pipeline import make_pipeline

from tf_models.classification.model import (
    OF_IMAGES,
    OF_TEXTS,
    ImageClassifier,
    TextClassifier,
    classify_tests,
    plain_text,
)
from tf_models.data.images import ImageSet
from tf_models.data.labelled import LABELS, LabelledText, embedded_texts
from tf_models.errors import InputError, Report, StrPath, counted
from tf_models.training.run_directory import RunDirectory

WORDS = r"\w+(?:['’]\w+)*|[.?!]"
MAX_STEPS = 300  # most iterations of fitting the logistic regression

Texts = Sequence[LabelledText]


def accuracy_by_kind(texts: Texts, predicted: Sequence[str]) -> Mapping[str, float]:
    """Accuracy, 0 to 1: of "all" texts, and of each kind if there are several."""
    hits = np.array([text.label == label for text, label in zip(texts, predicted, strict=True)])
    text_kinds = np.array([text.kind for text in texts])
    shares = {"all": float(hits.mean())}
    names = sorted(set(text_kinds))
    if len(names) > 1:
        shares |= {name: float(hits[text_kinds == name].mean()) for name in names}
    return shares


BASELINES: dict[str, ClassifierMixin] = {
    "most frequent class": DummyClassifier(strategy="most_frequent"),
    "bag of words": make_pipeline(
        CountVectorizer(token_pattern=WORDS), LogisticRegression(max_iter=MAX_STEPS)
    ),
}
"""Classifiers that ignore the order of words: the most frequent class of the training texts, and
logistic regression on the counts of words and marks."""


def predict_with(baseline: ClassifierMixin, train: Texts, test: Texts) -> list[str]:
    """Classes of test texts, predicted by a baseline fitted to training texts."""
    fitted = clone(baseline).fit(_contents(train), _labels(train))
    return list(fitted.predict(_contents(test)))


def _contents(texts: Texts) -> list[str]:
    return [example.text for example in texts]


def _labels(texts: Texts) -> list[str]:
    return [example.label for example in texts]


def evaluate_run(
    run_dir: StrPath,
    *,
    checkpoint: str | None = None,
    test: Sequence[StrPath] = (),
    dataset: str | None = None,
    data_dir: StrPath | None = None,
    report: Report = print,
) -> dict:
    """Score a trained classifier on test data.

    The checkpoint is "best" (the default), "latest" or a name. The test data are files of
    label<TAB>text, or the images of a dataset; if left out, the test split of the data it was
    trained on, which may lie in data_dir. Returns the number of texts or images, the accuracy, 0 to
    1, and precision, recall and F1 of each class. Raises InputError: the data or the run cannot be
    read, or the run was trained on texts of files and none is named.
    """
    run = RunDirectory(run_dir)
    if run.read_config()["kind"] == OF_IMAGES:
        image_classifier = ImageClassifier.load(run_dir, checkpoint)
        images = image_classifier.origin.load(dataset, data_dir)
        labels, predicted = report_images(image_classifier, images, report)
        return {"images": len(labels), **_scores(labels, predicted)}
    classifier = TextClassifier.load(run_dir, checkpoint)
    texts = classifier.read(test) or _tests_of(run)
    labels, predicted = report_texts(classifier, texts, report)
    shares = dict(accuracy_by_kind(texts, predicted))
    del shares["all"]
    return {"texts": len(texts), **_scores(labels, predicted), "accuracy by kind": shares}


def _scores(labels: Sequence[str], predicted: Sequence[str]) -> dict:
    classes = classification_report(labels, predicted, output_dict=True, zero_division=0)
    names = sorted({*labels, *predicted})
    scores = {name: classes[name] for name in names}
    return {"accuracy": accuracy_score(labels, predicted), "classes": scores}


def _tests_of(run: RunDirectory) -> list[LabelledText]:
    name = run.read_config(OF_TEXTS)["data"]["texts"]
    if name not in LABELS:
        raise InputError("name the texts to test on: --test FILE")
    return embedded_texts(name).test


def report_texts(
    classifier: TextClassifier, tests: Texts, report: Report, train: Texts = ()
) -> tuple[list[str], list[str]]:
    """Report accuracy, beside baselines if there is `train`, and class scores.

    Returns the labels of the test texts, and the predicted ones.
    """
    labels = _labels(tests)
    predicted = classifier.classify(_contents(tests))
    rows = {"classifier": accuracy_by_kind(tests, predicted)}
    if train:  # baselines read what the classifier reads
        plain_train = _as_read(train, classifier)
        plain_tests = _as_read(tests, classifier)
        for name, baseline in BASELINES.items():
            rows[name] = accuracy_by_kind(tests, predict_with(baseline, plain_train, plain_tests))
    report(f"{counted(len(tests), 'test text')}:")
    text_kinds = list(rows["classifier"])
    report(f"{'accuracy':22}" + "".join(f"{kind:>{len(kind) + 3}}" for kind in text_kinds))
    for name, shares in rows.items():
        cells = "".join(f"{shares[kind]:>{len(kind) + 3}.1%}" for kind in text_kinds)
        report(f"{name:22}{cells}")
    report("\n" + table_of_classes(labels, predicted, classifier.classes))
    return labels, predicted


def _as_read(texts: Texts, classifier: TextClassifier) -> Texts:
    return [example._replace(text=plain_text(example.text, classifier.plain)) for example in texts]


def report_images(
    classifier: ImageClassifier, images: ImageSet, report: Report
) -> tuple[list[str], list[str]]:
    """Report the accuracy on the test images, and scores of each class.

    Returns the labels of the test images, and the predicted ones.
    """
    labels, predicted = classify_tests(classifier, images)
    accuracy = accuracy_score(labels, predicted)
    report(f"{counted(len(labels), 'test image')}: accuracy {accuracy:.2%}\n")
    report(table_of_classes(labels, predicted, classifier.classes))
    return labels, predicted


def table_of_classes(
    labels: Sequence[str], predicted: Sequence[str], classes: Sequence[str]
) -> str:
    """Table of precision, recall and F1 of each class."""
    return classification_report(labels, predicted, labels=list(classes), digits=3, zero_division=0)
