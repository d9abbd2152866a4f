"""Scores of a classifier, beside baselines."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, classification_report, f1_score
from sklearn.pipeline import make_pipeline

from tf_models.classification.figures import draw_attention, plot_predictions
from tf_models.classification.settings import DEFAULT_LABELS
from tf_models.classification.text_classifier import KIND, TextClassifier, check_labels, plain_text
from tf_models.data.annotated_pairs import LABELS
from tf_models.data.labelled import (
    LabelledText,
    LabelledTexts,
    embedded_texts,
    read_labelled,
    texts_of_tfds,
)
from tf_models.data.pairs import IT_STANDS_FOR
from tf_models.errors import InputError, Report
from tf_models.plotting.files import save_figures
from tf_models.plotting.lines import plot_training_curves
from tf_models.training.run_directory import History, RunDirectory

SHOWN_MISTAKES = 5
MAX_TOKENS_DRAWN = 40
WORDS = r"\w+(?:['’]\w+)*|[.?!]"
STEPS = 300  # of the logistic regression, at most

Texts = Sequence[LabelledText]


def accuracy_by_kind(texts: Texts, predicted: Sequence[str]) -> Mapping[str, float]:
    """Share of right classes, 0 to 1: of "all" texts, and of each kind if there are several."""
    right = np.array([one.label == label for one, label in zip(texts, predicted, strict=True)])
    kinds = np.array([one.kind for one in texts])
    shares = {"all": float(right.mean())}
    names = sorted(set(kinds))
    if len(names) > 1:
        shares |= {name: float(right[kinds == name].mean()) for name in names}
    return shares


def most_frequent_class(train: Texts, test: Texts) -> list[str]:
    """The class of most training texts, for all texts."""
    ((label, _),) = Counter(one.label for one in train).most_common(1)
    return [label] * len(test)


def bag_of_words(train: Texts, test: Texts) -> list[str]:
    """Logistic regression on how often each word and mark occurs."""
    counts, regression = CountVectorizer(token_pattern=WORDS), LogisticRegression(max_iter=STEPS)
    classifier = make_pipeline(counts, regression)
    classifier.fit([one.text for one in train], [one.label for one in train])
    return list(classifier.predict([one.text for one in test]))


BASELINES: dict[str, Callable[[Texts, Texts], list[str]]] = {
    "most frequent class": most_frequent_class,
    "bag of words": bag_of_words,
}


def evaluate_run(
    run_dir: Path,
    *,
    checkpoint: str | None = None,
    test: Sequence[Path] = (),
    data_dir: Path | None = None,
    report: Report = print,
) -> dict:
    """Score a trained classifier, at the checkpoint "best" (the default), "latest" or a name, on
    test texts.

    These are of files of label<TAB>text; if left out, of the run's embedded or TFDS data, which lie
    in data_dir. Returns accuracy, and F1 of each class, 0 to 1, by name. Raises InputError: a file
    or the run cannot be read, or the run was trained on files and none is named.
    """
    classifier = TextClassifier.load(run_dir, checkpoint)
    texts = [example for path in test for example in read_labelled(path)]
    if not texts:  # those of embedded or TFDS data, as a training with this seed has them
        config = RunDirectory(run_dir).read_config(KIND)
        name, seed = config["data"]["texts"], config["seed"]
        if name.startswith("tfds:"):
            texts = texts_of_tfds(name.removeprefix("tfds:"), data_dir, seed).test
        elif name in LABELS:
            texts = embedded_texts(name).test
        else:
            raise InputError("name the texts to test on: --test FILE")
    check_labels(texts, classifier.classes)
    right, predicted = report_tests(classifier, texts, report)
    return {"texts": len(texts), **scores(right, predicted, classifier.classes)}


def scores(right: Sequence[str], predicted: Sequence[str], classes: Sequence[str]) -> dict:
    """Accuracy, and F1 of each class by name, 0 to 1."""
    f1 = f1_score(right, predicted, labels=classes, average=None, zero_division=0.0)
    by_class = dict(zip(classes, f1.tolist(), strict=True))
    return {"accuracy": float(accuracy_score(right, predicted)), "f1": by_class}


def report_classifier(run: RunDirectory, texts: LabelledTexts, report: Report = print) -> None:
    """Score the trained classifier on the test texts, beside baselines, and draw."""
    classifier = TextClassifier.load(run.path)
    report("")
    right, predicted = report_tests(classifier, texts.test, report, texts.train)
    figures = {
        "training": plot_training_curves(History.read(run.history_file).columns()),
        "confusion": plot_predictions(right, predicted, classifier.classes, "test texts"),
    }
    shown = {"attention": texts.test[0].text}
    if texts.name == DEFAULT_LABELS:
        shown = {f"it-{noun}": sentence for sentence, noun in IT_STANDS_FOR.items()}
    for name, text in shown.items():
        if len(classifier.encode(text)) <= MAX_TOKENS_DRAWN:
            figures[name] = draw_attention(classifier, sentence=text, words=True)
    save_figures(figures, run.figures, report)


def report_tests(
    classifier: TextClassifier, tests: Texts, report: Report = print, train: Texts = ()
) -> tuple[list[str], list[str]]:
    """Accuracy, scores of each class, some mistakes; beside baselines, if `train` trains them.

    Returns right and predicted classes.
    """
    texts, right = zip(*((example.text, example.label) for example in tests), strict=True)
    predicted = classifier.classify(texts, progress=True)
    rows = {"classifier": accuracy_by_kind(tests, predicted)}
    if train:  # baselines read what the classifier reads
        read = [
            [one._replace(text=plain_text(one.text, classifier.plain)) for one in split]
            for split in (train, tests)
        ]
        for name, predict in BASELINES.items():
            rows[name] = accuracy_by_kind(tests, predict(*read))
    cut = sum(map(classifier.is_cut, texts))
    report(f"{cut} test texts are cut to {classifier.encoder.max_length} tokens")
    report(f"{len(texts):,} test texts:")
    kinds = list(rows["classifier"])
    report(f"{'accuracy':22}" + "".join(f"{kind:>{len(kind) + 3}}" for kind in kinds))
    for name, shares in rows.items():
        cells = "".join(f"{shares[kind]:>{len(kind) + 3}.1%}" for kind in kinds)
        report(f"{name:22}{cells}")
    labels = list(classifier.classes)
    report("\n" + classification_report(right, predicted, labels=labels, digits=3, zero_division=0))
    # A few mistakes, evenly from the first to the last.
    wrong = [row for row in zip(texts, predicted, right, strict=True) if row[1] != row[2]]
    for text, label, other in wrong[:: max(1, len(wrong) // SHOWN_MISTAKES)][:SHOWN_MISTAKES]:
        report(f"\n  text       {text}\n  predicted  {label}\n  right      {other}")
    return list(right), predicted
