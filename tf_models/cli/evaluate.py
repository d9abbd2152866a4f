"""Measure a trained run on test data: what is measured depends on what the run holds.

  tf-models evaluate --run-dir runs/toy-toy
      a translator on the test pairs of its corpus: BLEU, exact match
  tf-models evaluate --run-dir runs/multi30k-best \\
      --source test_2016_flickr.en.gz --reference test_2016_flickr.de.gz
      files of your own, line by line beside each other
  tf-models evaluate --corpus toy deu.txt
      on the test pairs of other corpora; a row for each
  tf-models evaluate --run-dir runs/toy-toy --references lesson.tsv
      sentences of your own: English, tab, German, tab, another German that is as good ...
  tf-models evaluate --run-dir runs/mnist-vae --data-dir data
      a VAE: ELBO and log-likelihood in nats; --max-images 1000 for a first look
  tf-models evaluate --run-dir runs/reference-classifier
      a classifier: accuracy, precision, recall and F1 of each class
  tf-models evaluate --run-dir runs/stories --test qa1_test.txt qa2_test.txt
      question answering: exact answers of each kind of questions

Which options there are depends on --run-dir.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import tyro

from tf_models.cli.command_line import parse, parse_some, quiet_tensorflow
from tf_models.errors import InputError
from tf_models.training.run_directory import RunDirectory
from tf_models.training.settings import NotNegative, Seed, Size
from tf_models.translation.ready_made import RUN_DIR, TranslatorArguments


class Arguments(TranslatorArguments):
    """Arguments for any run."""

    json_output: Annotated[bool, tyro.conf.arg(name="json")] = False
    """Print one JSON object."""


class TranslatorEvaluation(Arguments):
    """Arguments for a translator."""

    corpus: tuple[str, ...] = ()
    """Score on the test pairs of these, as train-translator reads them; if left out, of what the
    run was trained on."""
    source: Path | None = None
    """Sentences, plain or .gz."""
    reference: Path | None = None
    """Line by line beside --source."""
    references: Path | None = None
    """In place of these, a table: sentence, tab, reference, tab, another reference …"""
    beam_size: Size | None = None
    """Hypotheses kept, 1 is greedy; if left out, the run's."""
    length_penalty: NotNegative | None = None
    """Alpha of the beam search; if left out, the run's."""
    output: Path | None = None
    """Write the translations to this file."""
    data_dir: Path | None = None
    """Folder of downloads and TFDS data sets."""


class ImageEvaluation(Arguments):
    """Arguments for an autoencoder or a classifier of images."""

    dataset: str | None = None
    """Test images of this data set; if left out, of the one that it was trained on."""
    data_dir: Path | None = None
    """Folder of TFDS data sets."""


class VAEEvaluation(ImageEvaluation):
    """Arguments for a VAE."""

    importance_samples: Size | None = None
    """Samples of the bound; if left out, 500."""
    max_images: Size | None = None
    """Only so many test images, the first ones."""
    seed: Seed | None = None
    """Of samples and binarisation; if left out, 0."""


class QuestionEvaluation(Arguments):
    """Arguments for question answering."""

    test: tuple[Path, ...] = ()
    """Questions as bAbI has them, or a classifier's lines of label<TAB>text; if left out, the
    embedded test data."""


class TextEvaluation(QuestionEvaluation):
    """Arguments for a classifier of texts."""

    data_dir: Path | None = None
    """Folder of TFDS data sets."""


def arguments_of(kind: str) -> type[Arguments]:
    """The arguments for a kind of runs."""
    match kind:
        case "translator":
            return TranslatorEvaluation
        case "vae":
            return VAEEvaluation
        case "autoencoder" | "image classifier":
            return ImageEvaluation
        case "classifier":
            return TextEvaluation
        case "question answering":
            return QuestionEvaluation
    raise InputError(f"no run of kind {kind} can be measured")


def main() -> None:
    kind = RunDirectory(parse_some(Arguments).run_dir or RUN_DIR).read_kind()
    arguments = parse(arguments_of(kind))
    evaluate_run: Callable[..., dict]
    with quiet_tensorflow():
        from tf_models.runtime import use_cores_for_inference

        match kind:
            case "translator":
                from tf_models.translation.evaluate import evaluate_run
            case "classifier" | "image classifier":
                from tf_models.classification.evaluate import evaluate_run
            case "question answering":
                from tf_models.questions.evaluate import evaluate_run
            case _:
                from tf_models.autoencoding.evaluate import evaluate_run
    use_cores_for_inference()
    options = arguments.model_dump(exclude={"run_dir", "json_output"}, exclude_defaults=True)
    report = print if not arguments.json_output else lambda line: None
    figures = evaluate_run(arguments.chosen_run_dir, report=report, **options)
    if arguments.json_output:
        print(json.dumps(figures, indent=2))
