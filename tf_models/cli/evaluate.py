"""Measure a trained run on test data, with the measures of its kind.

$ tf-models evaluate --run-dir runs/toy-toy
      a translator on the test pairs of its corpus: BLEU, exact match
$ tf-models evaluate --run-dir runs/multi30k-best \\
      --source test_2016_flickr.en.gz --reference test_2016_flickr.de.gz
      files of your own, line by line beside each other
$ tf-models evaluate --run-dir runs/digits-vae --json digits.json
      the numbers as a file, too
"""

import dataclasses
import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import tyro

from tf_models.cli.command_line import parse, passed, quiet_tensorflow
from tf_models.cli.translator_arguments import SearchArguments
from tf_models.files import check_writable, write_text
from tf_models.training.run_directory import RunDirectory
from tf_models.training.settings import Size


class Arguments(SearchArguments):
    corpus: tuple[str, ...] = ()
    """Corpora whose test pairs are scored, for a translator, named as for train-translator; if
    left out, those that it was trained on."""
    source: Path | None = None
    """File of source sentences, for a translator, plain or .gz."""
    reference: Path | None = None
    """File of reference translations, line by line beside --source."""
    references: Path | None = None
    """Table in place of both files: sentence, tab, reference, tab, another reference …"""
    data_dir: Path | None = None
    """Folder of downloads and TFDS data sets."""
    dataset: str | None = None
    """Data set of the test images, for a model of images; if left out, that of its training."""
    importance_samples: Size | None = None
    """Importance samples of the log-likelihood, for a VAE; if left out, 500."""
    test: tuple[Path, ...] = ()
    """Test files: questions in the format of bAbI, or lines of label<TAB>text for a classifier of
    texts; if left out, the embedded test data."""
    output: Annotated[str | None, tyro.conf.arg(name="json")] = None
    """File for the numbers as JSON; - is standard output, and the report goes to standard error."""


SEARCH = {"beam_size", "length_penalty"}
FILES = {"source", "reference", "references"}
OPTIONS = {  # run kind -> options that it takes
    "translator": {"corpus", "data_dir", *FILES, *SEARCH},
    "vae": {"dataset", "data_dir", "importance_samples"},
    "autoencoder": {"dataset", "data_dir"},
    "classifier": {"test"},
    "image classifier": {"dataset", "data_dir"},
    "question answering": {"test"},
}


def main() -> None:
    arguments = parse(Arguments)
    run_dir = arguments.chosen_run_dir
    run_kind = RunDirectory(run_dir).read_config()["kind"]
    options = passed(
        arguments,
        always_allowed={"run_dir", "checkpoint", "output"},
        allowed=OPTIONS.get(run_kind, ()),
        user=f"a run of kind {run_kind}",
    )
    output = arguments.output
    report: Callable[..., None] = print
    if output == "-":
        report = partial(print, file=sys.stderr)
    elif output:
        check_writable(output)  # refused before minutes are spent
    evaluate_run: Callable[..., dict]
    with quiet_tensorflow():
        match run_kind:
            case "translator":
                from tf_models.translation.evaluate import evaluate_run
            case "classifier" | "image classifier":
                from tf_models.classification.evaluate import evaluate_run
            case "question answering":
                from tf_models.questions.evaluate import evaluate_run
            case _:  # autoencoder, vae
                from tf_models.autoencoding.evaluate import evaluate_run
    results = evaluate_run(run_dir, checkpoint=arguments.checkpoint, report=report, **options)
    text = json.dumps(results, indent=2, ensure_ascii=False, default=dataclasses.asdict)
    if output == "-":
        print(text)
    elif output:
        write_text(output, f"{text}\n")
