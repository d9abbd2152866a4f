"""Measure a trained run on test data: what is measured depends on what the run holds."""

import argparse
import importlib
import json
from pathlib import Path

from tf_models.command_line import Parser, quiet_tensorflow, refuse_options, seed
from tf_models.errors import InputError
from tf_models.tasks.translation.ready_made import add_translator_arguments, chosen_run_dir
from tf_models.training.run_directory import RunDirectory

EXAMPLES = """\
  tf-models evaluate --run-dir runs/toy-toy
      a translator on the test pairs of its corpus: BLEU, exact match
  tf-models evaluate --run-dir runs/mnist-vae --data-dir data
      a VAE: ELBO and log-likelihood in nats; --max-images 1000 for a first look
  tf-models evaluate --run-dir runs/reference-classifier
      a classifier: accuracy, precision, recall and F1 of each class"""
MORE = """\
  tf-models evaluate --run-dir runs/multi30k-best \\
      --source test_2016_flickr.en.gz --reference test_2016_flickr.de.gz
      files of your own, line by line beside each other
  tf-models evaluate --corpus toy deu.txt
      on the test pairs of other corpora; a row for each
  tf-models evaluate --run-dir runs/toy-toy --references lesson.tsv
      sentences of your own: English, tab, German, tab, another German that is as good ...
  tf-models evaluate --run-dir runs/stories --test qa1_test.txt qa2_test.txt
      question answering: exact answers of each kind of questions"""
COMMON = {
    "--run-dir": "any run; default: the translator of the package",
    "--json": "",
    "--corpus": "a translator on the test pairs of these",
    "--source": "a translator on a file of your own",
    "--reference": "",
    "--max-images": "",
    "--dataset": "other images than the run was trained on",
    "--data-dir": "",
    "--test": "labelled texts, or questions, of your own",
}

MODULES = {  # of tf_models.tasks, whose `evaluate_run` measures a run, by the run's kind
    "translator": "translation.evaluation",
    "autoencoder": "autoencoding.evaluation",
    "vae": "autoencoding.evaluation",
    "sequence autoencoder": "autoencoding.evaluation",
    "classifier": "classification.evaluation",
    "image classifier": "classification.images.evaluation",
    "question answering": "question_answering.evaluation",
}
OPTIONS: dict[str, dict[str, dict]] = {  # by the kinds of runs that have them
    "translator, sequence autoencoder": {
        "source": {"type": Path, "metavar": "FILE", "help": "sentences, plain or .gz"}
    },
    "translator": {
        "corpus": {
            "nargs": "+",
            "metavar": "NAME",
            "help": "score on the test pairs of these, as train-translator reads them; default, "
            "if no files are named: what the run was trained on",
        },
        "reference": {"type": Path, "metavar": "FILE", "help": "line by line beside --source"},
        "references": {
            "type": Path,
            "metavar": "FILE.tsv",
            "help": "in place of these: sentence, tab, reference, tab, another reference ...",
        },
        "beam_size": {"type": int, "metavar": "N", "help": "1 is greedy; default: the run's"},
        "length_penalty": {"type": float, "metavar": "ALPHA", "help": "default: the run's"},
        "output": {"type": Path, "metavar": "FILE", "help": "write the translations to it"},
    },
    "vae": {
        "importance_samples": {"type": int, "metavar": "K", "help": "default: 500"},
        "max_images": {"type": int, "metavar": "N", "help": "only the first N test images"},
        "batch_size": {"type": int, "metavar": "N", "help": "images at a time; default: 50"},
        "chunk": {"type": int, "metavar": "N", "help": "samples at a time; default: 10"},
        "seed": {"type": seed, "metavar": "S", "help": "of samples and binarisation; default: 0"},
    },
    "autoencoder, vae, image classifier": {
        "dataset": {"metavar": "NAME", "help": "default: the one it was trained on"}
    },
    "translator, autoencoder, vae, classifier, image classifier": {
        "data_dir": {
            "type": Path,
            "metavar": "DIR",
            "help": "folder of downloads and TFDS data sets",
        }
    },
    "classifier, question answering": {
        "test": {
            "type": Path,
            "nargs": "+",
            "metavar": "FILE",
            "help": "lines of label<TAB>text, or questions as bAbI has them; default: the test "
            "texts of embedded and TFDS data, generated stories",
        }
    },
}


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES, MORE, COMMON)
    add_translator_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    for kinds, options in OPTIONS.items():
        group = parser.add_argument_group(kinds)
        for name, details in options.items():
            group.add_argument(f"--{name.replace('_', '-')}", **details)
    return parser


def main(arguments: argparse.Namespace) -> None:
    run_dir = chosen_run_dir(arguments)
    kind = RunDirectory(run_dir).read_kind()
    options = options_of(kind, arguments)
    with quiet_tensorflow():
        from tf_models.runtime import use_cores_for_inference

        task = importlib.import_module(f"tf_models.tasks.{MODULES[kind]}")
    use_cores_for_inference()
    if arguments.json:
        options["report"] = lambda line: None
    figures = task.evaluate_run(run_dir, checkpoint=arguments.checkpoint, **options)
    if arguments.json:
        print(json.dumps(figures, indent=2))


def options_of(kind: str, arguments: argparse.Namespace) -> dict[str, object]:
    """The options that were given; those of other kinds of runs are refused."""
    if kind not in MODULES:
        raise InputError(f"a run to measure is of kind {', '.join(MODULES)}; received {kind}")
    kinds = {name: title.split(", ") for title, names in OPTIONS.items() for name in names}
    given = {name: getattr(arguments, name) for name in kinds}
    given = {name: value for name, value in given.items() if value is not None}
    refuse_options(f"a run of kind {kind}", [name for name in given if kind not in kinds[name]])
    return given
