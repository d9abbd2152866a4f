"""How often a classifier is right, beside baselines, and what the end of its training shows."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from tf_models.data.embedded.annotated_pairs import LABELS
from tf_models.data.sentences import IT_STANDS_FOR
from tf_models.data.text.labelled import (
    LabelledText,
    LabelledTexts,
    embedded_texts,
    read_labelled,
    texts_of_tfds,
)
from tf_models.errors import InputError, Report
from tf_models.plotting.files import save_figures
from tf_models.tasks.classification.figures import FIGURES
from tf_models.tasks.classification.scores import ClassScores
from tf_models.tasks.classification.settings import DEFAULT_LABELS
from tf_models.tasks.classification.text_classifier import KIND, TextClassifier, plain_text
from tf_models.training.run_directory import RunDirectory

SHOWN_MISTAKES = 5
MAX_TOKENS_DRAWN = 40
WORDS = r"\w+(?:['’]\w+)*|[.?!]"
STEPS = 300  # of the logistic regression, at most

Texts = Sequence[LabelledText]


def accuracy_by_kind(texts: Texts, predicted: Sequence[str]) -> Mapping[str, float]:
    """Share of right classes, 0 to 1: of "all" texts, and of each kind if there are several."""
    right = np.array([one.label == label for one, label in zip(texts, predicted, strict=True)])
    kinds = np.array([one.kind for one in texts])
    found = {"all": float(right.mean())}
    names = sorted(set(kinds))
    if len(names) > 1:
        found |= {name: float(right[kinds == name].mean()) for name in names}
    return found


def check_labels(texts: Texts, classes: Sequence[str]) -> None:
    """Raise an InputError if a classifier of these classes does not know a label of the texts."""
    if unknown := sorted({one.label for one in texts} - set(classes)):
        raise InputError(
            f"the classifier has the classes {', '.join(classes)}; received {', '.join(unknown)}"
        )


def most_frequent_class(train: Texts, test: Texts) -> list[str]:
    """For all texts the class that most training texts have."""
    ((label, _),) = Counter(one.label for one in train).most_common(1)
    return [label] * len(test)


def bag_of_words(train: Texts, test: Texts) -> list[str]:
    """Logistic regression on how often each word and mark occurs."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    counts, regression = CountVectorizer(token_pattern=WORDS), LogisticRegression(max_iter=STEPS)
    classifier = make_pipeline(counts, regression)
    classifier.fit([one.text for one in train], [one.label for one in train])
    return list(classifier.predict([one.text for one in test]))


# What a classifier must do better than: guessing, and words without their order.
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
    texts = [one for path in test for one in read_labelled(path)]
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
    scores = report_tests(classifier, texts, report)
    f1 = dict(zip(scores.classes, scores.f1.tolist(), strict=True))
    return {"texts": len(texts), "accuracy": scores.accuracy, "f1": f1}


def report_classifier(run: RunDirectory, texts: LabelledTexts, report: Report = print) -> None:
    """Score the trained classifier on the test texts, beside baselines, and draw."""
    classifier = TextClassifier.load(run.path)
    report("")
    scores = report_tests(classifier, texts.test, report, texts.train)
    figures = {
        "training": FIGURES.draw("training", classifier, run_dir=run.path),
        "confusion": FIGURES.draw("confusion", classifier, scores=scores),
    }
    if texts.name == DEFAULT_LABELS:
        shown = {f"it-{noun}": sentence for sentence, noun in IT_STANDS_FOR.items()}
    else:
        shown = {"attention": texts.test[0].text}
    for name, text in shown.items():
        # A map of more tokens cannot be read.
        if classifier.can_read(text) and len(classifier.encode(text)) <= MAX_TOKENS_DRAWN:
            figures[name] = FIGURES.draw("attention", classifier, sentence=text, words=True)
    save_figures(figures, run.figures, report)


def report_tests(
    classifier: TextClassifier,
    tests: Sequence[LabelledText],
    report: Report = print,
    train: Sequence[LabelledText] = (),
) -> ClassScores:
    """Accuracy, scores of each class, some mistakes; if `train` trains them, beside baselines."""
    texts = [one.text for one in tests]
    cut = sum(map(classifier.is_cut, texts))
    if cut:
        report(
            f"{cut} of {len(texts)} test texts are cut to {classifier.encoder.max_length} tokens"
        )
    predicted = classifier.classify(texts, strict=False, progress=True)
    report(f"{len(texts):,} test texts:")
    rows = {"classifier": accuracy_by_kind(tests, predicted)}
    if train:  # baselines read what the classifier reads
        read = [
            [one._replace(text=plain_text(one.text, classifier.plain)) for one in split]
            for split in (train, tests)
        ]
        rows |= {
            name: accuracy_by_kind(tests, predict(*read)) for name, predict in BASELINES.items()
        }
    kinds = list(rows["classifier"])
    report(f"{'accuracy':22}" + "".join(f"{kind:>{len(kind) + 3}}" for kind in kinds))
    for name, shares in rows.items():
        cells = "".join(f"{shares[kind]:>{len(kind) + 3}.1%}" for kind in kinds)
        report(f"{name:22}{cells}")
    report("")
    scores = ClassScores.of(classifier.classes, [one.label for one in tests], predicted)
    scores.report("texts", report)
    # A few test texts that it gets wrong, evenly from the first to the last.
    pairs = zip(tests, predicted, strict=True)
    wrong = [(one, label) for one, label in pairs if one.label != label]
    step = max(1, len(wrong) // SHOWN_MISTAKES)
    for one, label in wrong[::step][:SHOWN_MISTAKES]:
        report(f"\n  text       {one.text}\n  predicted  {label}\n  right      {one.label}")
    return scores
