"""Measure a trained run on test data: what is measured depends on what the run holds.

$ tf-models evaluate --run-dir runs/toy-toy
      a translator on the test pairs of its corpus: BLEU, exact match
$ tf-models evaluate --run-dir runs/multi30k-best \\
      --source test_2016_flickr.en.gz --reference test_2016_flickr.de.gz
      files of your own, line by line beside each other
"""

from collections.abc import Callable
from pathlib import Path

from tf_models.cli.command_line import SearchArguments, parse, passed, quiet_tensorflow
from tf_models.training.run_directory import RunDirectory
from tf_models.training.settings import Size


class Arguments(SearchArguments):
    corpus: tuple[str, ...] = ()
    """Of a translator: score on the test pairs of these, as train-translator reads them; if left
    out, of what the run was trained on."""
    source: Path | None = None
    """Of a translator: sentences, plain or .gz."""
    reference: Path | None = None
    """Line by line beside --source."""
    references: Path | None = None
    """In place of these, a table: sentence, tab, reference, tab, another reference …"""
    data_dir: Path | None = None
    """Folder of downloads and TFDS data sets."""
    dataset: str | None = None
    """Test images of this data set; if left out, of the one that the run was trained on."""
    importance_samples: Size | None = None
    """Of a VAE: samples of the bound; if left out, 500."""
    test: tuple[Path, ...] = ()
    """Questions as bAbI has them, or a classifier's lines of label<TAB>text; if left out, the
    embedded test data."""


SEARCH, FILES = {"beam_size", "length_penalty"}, {"source", "reference", "references"}
OPTIONS = {  # of each kind of runs
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
    kind = RunDirectory(run_dir).read_config()["kind"]
    allowed, of = OPTIONS.get(kind, ()), f"a run of kind {kind}"
    options = passed(arguments, {"run_dir", "checkpoint"}, allowed, of)
    evaluate_run: Callable[..., dict]
    with quiet_tensorflow():
        match kind:
            case "translator":
                from tf_models.translation.evaluate import evaluate_run
            case "classifier" | "image classifier":
                from tf_models.classification.evaluate import evaluate_run
            case "question answering":
                from tf_models.questions.evaluate import evaluate_run
            case _:
                from tf_models.autoencoding.evaluate import evaluate_run
    evaluate_run(run_dir, checkpoint=arguments.checkpoint, **options)
