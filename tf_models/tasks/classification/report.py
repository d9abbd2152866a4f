"""What the end of a classifier's training shows: scores beside baselines, examples, figures."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib.figure import Figure

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
from tf_models.tasks.classification.evaluation import (
    BASELINES,
    ClassScores,
    accuracy_by_kind,
    check_labels,
)
from tf_models.tasks.classification.figures import FIGURES
from tf_models.tasks.classification.settings import DEFAULT_LABELS
from tf_models.tasks.classification.text_classifier import ENTRIES, KIND, TextClassifier, plain_text
from tf_models.training.run_directory import RunDirectory

SHOWN_MISTAKES = 5
MAX_TOKENS_DRAWN = 40


def evaluate_run(
    run_dir: Path,
    *,
    checkpoint: str | None = None,
    test: Sequence[Path] = (),
    data_dir: Path | None = None,
    report: Report = print,
) -> dict:
    """Score a trained classifier on test texts.

    Args:
        checkpoint: "best" (the default), "latest" or a name.
        test: files of label<TAB>text; if left out, the test texts of the run's embedded or TFDS
            data.
        data_dir: where TFDS keeps its data sets.

    Returns:
        accuracy, and F1 of each class, 0 to 1, by name.

    Raises:
        InputError: a file or the run cannot be read, or the run was trained on files and none is
            named.
    """
    classifier = TextClassifier.load(run_dir, checkpoint)
    texts = [one for path in test for one in read_labelled(path)]
    if not texts:
        config = RunDirectory(run_dir).read_config(KIND, ENTRIES)
        texts = _test_texts(config["data"]["texts"], data_dir, config["seed"])
    check_labels(texts, classifier.classes)
    scores = report_tests(classifier, texts, report)
    f1 = dict(zip(scores.classes, scores.f1.tolist(), strict=True))
    return {"texts": len(texts), "accuracy": scores.accuracy, "f1": f1}


def _test_texts(name: str, data_dir: Path | None, seed: int) -> list[LabelledText]:
    """The test texts of embedded or TFDS data, as a training with this seed has them."""
    if name.startswith("tfds:"):
        return texts_of_tfds(name.removeprefix("tfds:"), data_dir, seed).test
    if name not in LABELS:
        raise InputError("name the texts to test on: --test FILE")
    return embedded_texts(name).test


def report_classifier(run: RunDirectory, texts: LabelledTexts, report: Report = print) -> None:
    """Score the trained classifier on the test texts, beside baselines, and draw."""
    classifier = TextClassifier.load(run.path)
    report("")
    scores = report_tests(classifier, texts.test, report, texts.train)
    save_figures(_figures(run, classifier, texts, scores), run.figures, report)


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
    _report_accuracies(rows, report)
    report("")
    scores = ClassScores.of(classifier.classes, [one.label for one in tests], predicted)
    _report_classes(scores, report)
    _report_mistakes(tests, predicted, report)
    return scores


def _report_accuracies(rows: Mapping[str, Mapping[str, float]], report: Report) -> None:
    """A row for each way to classify, a column for each kind of texts."""
    kinds = list(rows["classifier"])
    report(f"{'accuracy':22}" + "".join(f"{kind:>{len(kind) + 3}}" for kind in kinds))
    for name, shares in rows.items():
        cells = "".join(f"{shares[kind]:>{len(kind) + 3}.1%}" for kind in kinds)
        report(f"{name:22}{cells}")


def _report_classes(scores: ClassScores, report: Report) -> None:
    """Precision, recall and F1 of each class, and their means."""
    width = max(map(len, (*scores.classes, "mean of the classes"))) + 3
    report(f"{'':{width}}precision    recall        F1     texts")
    columns = (scores.precision, scores.recall, scores.f1)
    for name, *shares, count in zip(scores.classes, *columns, scores.support, strict=True):
        report(f"{name:{width}}" + "".join(f"{x:>9.1%} " for x in shares) + f"{count:>9,}")
    means = "".join(f"{column.mean():>9.1%} " for column in columns)
    report(f"{'mean of the classes':{width}}{means}{scores.support.sum():>9,}")


def _report_mistakes(
    tests: Sequence[LabelledText], predicted: Sequence[str], report: Report
) -> None:
    """A few test texts that it gets wrong, evenly from the first to the last."""
    pairs = zip(tests, predicted, strict=True)
    wrong = [(one, label) for one, label in pairs if one.label != label]
    step = max(1, len(wrong) // SHOWN_MISTAKES)
    for one, label in wrong[::step][:SHOWN_MISTAKES]:
        report(f"\n  text       {one.text}\n  predicted  {label}\n  right      {one.label}")


def _figures(
    run: RunDirectory, classifier: TextClassifier, texts: LabelledTexts, scores: ClassScores
) -> dict[str, Figure]:
    """The figures of the end of training, by name."""
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
    return figures
