"""Train a translator, then score it, translate with it and draw its attention."""

import argparse

from tf_models.command_line import Parser, quiet_tensorflow, run
from tf_models.errors import TrainingInterrupted
from tf_models.tasks.translation.options import (
    DEFAULT_MODEL,
    DEFAULT_PRESET,
    default_run_dir,
    load_corpus_of,
    make_training_parser,
    settings_from,
)
from tf_models.tasks.translation.presets import FINE_TUNING

EXAMPLES = """\
  python scripts/train_translator.py
      the embedded corpus, in minutes
  python scripts/train_translator.py --corpus deu.txt --run-dir runs/deu --epochs 10
      sentence pairs from manythings.org
  python scripts/train_translator.py --corpus toy deu.txt --preset best --epochs 10
      two corpora together; validated and scored apart
  python scripts/train_translator.py --corpus multi30k --data-dir data --preset article
      Multi30k, with the settings of the article
  python scripts/train_translator.py --start-from ready-made --corpus own.tsv
  python scripts/train_translator.py --start-from runs/toy-toy --corpus own.tsv toy
      sentences of your own, with a trained translator to start from; the second does not forget
  python scripts/train_translator.py --corpus multi30k --preset best
      the same as well as it can be translated after an hour or two
  python scripts/train_translator.py --model rnn-attention
      a recurrent encoder and decoder with Bahdanau's attention
  python scripts/train_translator.py --corpus tfds:ted_multi_translate --languages en-de
      a translation set of TensorFlow Datasets
Ctrl-C saves; the same command goes on where it stopped."""


def make_parser() -> Parser:
    folder = "runs/CORPUS-PRESET, or runs/CORPUS-PRESET-MODEL of a model that is no transformer"
    parser = make_training_parser(__doc__, EXAMPLES, folder)
    parser.add_argument_group("further training").add_argument(
        "--start-from",
        metavar="RUN_DIR",
        help="start with tokenizers, model and weights of this translator (ready-made is the one "
        "that comes with the package), in place of a preset: "
        f"{FINE_TUNING['epochs']} epochs, peak {FINE_TUNING['peak']} unless you say others",
    )
    parser.set_defaults(preset=None, architecture=None)  # or they would overrule that run's
    return parser


def main(arguments: argparse.Namespace) -> None:
    name = arguments.preset or ("fine-tuned" if arguments.start_from else DEFAULT_PRESET)
    model = arguments.architecture or DEFAULT_MODEL
    run_dir = arguments.run_dir or default_run_dir(arguments.corpus, name, model)
    settings = None if arguments.start_from else settings_from(arguments)
    with quiet_tensorflow():
        from tf_models.tasks.translation.report import report_training
        from tf_models.tasks.translation.run import KIND
        from tf_models.tasks.translation.starting_point import StartingPoint
        from tf_models.tasks.translation.train import prepare_training
        from tf_models.training.distributed.strategies import make_strategy
        from tf_models.training.run_directory import RunDirectory
    strategy = make_strategy()
    run_directory = RunDirectory(run_dir)
    run_directory.check_place(KIND)  # a large corpus takes minutes
    start_from = None
    if arguments.start_from:
        start_from = StartingPoint.of(arguments.start_from, run_directory)
        settings = settings_from(arguments, start_from.settings)
        arguments.languages = arguments.languages or start_from.languages
    training = prepare_training(
        run_directory,
        load_corpus_of(arguments),
        settings,
        arguments.seed,
        data_dir=arguments.data_dir,
        start_from=start_from,
        strategy=strategy,
    )
    source, target = next(iter(training.batches.epoch(0)))
    print(f"first batch: source {tuple(source.shape)}, target {tuple(target.shape)}")
    print(f"model: {training.model.network.count_params():,} parameters; run directory {run_dir}")
    if not training.fit(arguments.minutes):
        raise TrainingInterrupted(run_dir)
    if training.run.writes:
        training.choose_decoding()
        report_training(training)


if __name__ == "__main__":
    run(make_parser(), main)
