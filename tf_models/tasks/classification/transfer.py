"""What a translator's encoder is worth to a classifier: with few labels, and with many."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import keras
import numpy as np

from tf_models.data.text.labelled import LabelledTexts
from tf_models.tasks.classification.evaluation import accuracy_by_kind
from tf_models.tasks.classification.settings import ClassifierSettings
from tf_models.tasks.classification.text_classifier import TextClassifier
from tf_models.tasks.classification.train import prepare_classifier_training
from tf_models.tasks.classification.translator_encoder import TranslatorEncoder
from tf_models.training.run_directory import RunDirectory

STARTS = {  # of the encoder: whether its weights are random, and whether it is frozen
    "random": (True, False),
    "frozen": (False, True),
    "fine-tuned": (False, False),
}


def compare_starts(
    folder: Path,
    texts: LabelledTexts,
    settings: ClassifierSettings,
    encoder_from: TranslatorEncoder,
    counts: Sequence[int],
    seeds: Sequence[int] = (0,),
    *,
    minutes: float = math.inf,
    report: Callable[[str], None] = print,
) -> dict[str, np.ndarray] | None:
    """Train from each of `STARTS` with each number of labels, for as many steps, and test.

    What is tested is the last epoch: whoever has few labels has none to choose the best epoch by.

    Args:
        folder: gets a run directory for each.
        texts: to train and to test on.
        settings: with the sizes of the encoder. Its epochs are those of the greatest count; with
            fewer labels the texts recur within an epoch.
        encoder_from: whose weights, sizes and tokenizer are taken.
        counts: numbers of training texts with a label.
        seeds: each decides which texts have one, and the training.
        minutes: of each training at most.
        report: what to do with a line for the reader.

    Returns:
        test accuracies (0 to 1) by start, (counts, seeds); None if Ctrl-C ended it.

    Raises:
        InputError: there are not so many texts, or a run directory belongs to other settings.
    """
    found = {start: np.zeros((len(counts), len(seeds))) for start in STARTS}
    tests = [one.text for one in texts.test]
    for (i, count), (j, seed) in (
        (row, column) for row in enumerate(counts) for column in enumerate(seeds)
    ):
        known = _recurring(texts.with_fewer(count, seed), max(counts))
        for start, (random_weights, freeze) in STARTS.items():
            run = RunDirectory(folder / f"{count}-{start}-{seed}")
            keras.backend.clear_session()  # of the run before: nothing of it is needed
            training = prepare_classifier_training(
                run,
                known,
                settings.changed(freeze=freeze, patience=0),
                seed,
                encoder_from=encoder_from,
                random_weights=random_weights,
                report=_nothing,
            )
            if not training.fit(minutes):
                return None
            predicted = TextClassifier.load(run.path, "latest").classify(tests, strict=False)
            found[start][i, j] = accuracy_by_kind(texts.test, predicted)["all"]
            report(f"{count:,} labels, {start}: accuracy {found[start][i, j]:.1%}  {run.path}")
    return found


def _recurring(texts: LabelledTexts, size: int) -> LabelledTexts:
    """The same with each training text so often that an epoch has about `size`."""
    return texts.with_training(texts.train * round(size / len(texts.train)))


def _nothing(line: str) -> None:
    """Of so many runs, only the results are shown."""
