"""What the end of a classifier's training shows: scores beside baselines, examples, figures."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from tf_models.data.text.article_sentences import IT_STANDS_FOR
from tf_models.data.text.labelled import (
    LabelledText,
    LabelledTexts,
    embedded_texts,
    read_labelled,
    texts_of_tfds,
)
from tf_models.errors import InputError, Report
from tf_models.plotting.files import save_figure
from tf_models.tasks.classification.baselines import BASELINES
from tf_models.tasks.classification.evaluation import ClassScores, accuracy_by_kind
from tf_models.tasks.classification.figures import FIGURES
from tf_models.tasks.classification.settings import DEFAULT_LABELS, EMBEDDED_LABELS
from tf_models.tasks.classification.text_classifier import KIND, TextClassifier, plain_text
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
        run_dir: of the run.
        checkpoint: "best" (the default), "latest" or a name.
        test: files of label<TAB>text; if left out, the test texts of the run's embedded or TFDS
            data.
        data_dir: where TFDS keeps its data sets.
        report: what to do with a line for the reader.

    Returns:
        accuracy, and F1 of each class, 0 to 1, by name.

    Raises:
        InputError: a file or the run cannot be read, or the run was trained on files and none is
            named.
    """
    classifier = TextClassifier.load(run_dir, checkpoint)
    config = RunDirectory(run_dir).read_config(KIND)
    texts = [one for path in test for one in read_labelled(path)]
    texts = texts or _test_texts(config["data"]["texts"], data_dir, config["seed"])
    unknown = {one.label for one in texts} - set(classifier.classes)
    if unknown:
        raise InputError(
            f"{run_dir} has the classes {', '.join(classifier.classes)}; received "
            f"{', '.join(sorted(unknown))}"
        )
    scores = report_tests(classifier, texts, report)
    f1 = dict(zip(scores.classes, scores.f1.tolist(), strict=True))
    return {"texts": len(texts), "accuracy": scores.accuracy, "f1": f1}


def _test_texts(name: str, data_dir: Path | None, seed: int) -> list[LabelledText]:
    """The test texts of embedded or TFDS data, as a training with this seed has them."""
    if name.startswith("tfds:"):
        return texts_of_tfds(name.removeprefix("tfds:"), data_dir, seed=seed).test
    if name not in EMBEDDED_LABELS:
        raise InputError("name the texts to test on: --test FILE")
    return embedded_texts(name, seed=seed).test


def report_classifier(run: RunDirectory, texts: LabelledTexts, report: Report = print) -> None:
    """Score the trained classifier on the test texts, beside baselines, and draw."""
    classifier = TextClassifier.load(run.path)
    report("")
    scores = report_tests(
        classifier, texts.test, report, baseline_accuracies(texts, classifier.plain)
    )
    report("\nfigures:")
    for path in _draw_figures(run, classifier, texts, scores):
        report(f"  {path}")


def report_tests(
    classifier: TextClassifier,
    tests: Sequence[LabelledText],
    report: Report = print,
    baselines: Mapping[str, Mapping[str, float]] = MappingProxyType({}),
) -> ClassScores:
    """Accuracy beside that of baselines, scores of each class, some mistakes."""
    texts = [one.text for one in tests]
    cut = sum(map(classifier.is_cut, texts))
    if cut:
        report(
            f"{cut} of {len(texts)} test texts are cut to {classifier.encoder.max_length} tokens"
        )
    predicted = classifier.classify(texts, strict=False, progress=True)
    report(f"{len(texts):,} test texts:")
    report_accuracies({"classifier": accuracy_by_kind(tests, predicted), **baselines}, report)
    report("")
    scores = ClassScores.of(classifier.classes, [one.label for one in tests], predicted)
    report_classes(scores, report)
    _report_mistakes(tests, predicted, report)
    return scores


def baseline_accuracies(texts: LabelledTexts, plain: bool) -> dict[str, Mapping[str, float]]:
    """Accuracies of `BASELINES` on the test texts, by kind; they read what the classifier reads."""
    train, test = (
        [one._replace(text=plain_text(one.text, plain)) for one in split]
        for split in (texts.train, texts.test)
    )
    return {
        name: accuracy_by_kind(test, predict(train, test)) for name, predict in BASELINES.items()
    }


def report_accuracies(rows: Mapping[str, Mapping[str, float]], report: Report = print) -> None:
    """A table: a row for each way to classify, a column for each kind of texts."""
    kinds = list(next(iter(rows.values())))
    report(f"{'accuracy':22}" + "".join(f"{kind:>{len(kind) + 3}}" for kind in kinds))
    for name, shares in rows.items():
        cells = "".join(f"{shares[kind]:>{len(kind) + 3}.1%}" for kind in kinds)
        report(f"{name:22}{cells}")


def report_classes(scores: ClassScores, report: Report = print) -> None:
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


def _draw_figures(
    run: RunDirectory, classifier: TextClassifier, texts: LabelledTexts, scores: ClassScores
) -> list[Path]:
    """The figures of the end of training, in the run's folder of figures; their paths."""
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
            options = {"sentence": text, "words": True}
            figures[name] = FIGURES.draw("attention", classifier, **options)
    paths = [run.figures / f"{name}.png" for name in figures]
    for figure, path in zip(figures.values(), paths, strict=True):
        save_figure(figure, path)
    return paths
