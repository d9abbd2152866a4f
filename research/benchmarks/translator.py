"""Time training and decoding beside the tutorial's code, PyTorch and CTranslate2."""

import argparse
from pathlib import Path

from research.benchmarks.command import (
    add_options,
    check_seconds,
    log,
    measure_and_publish,
    plan_from,
)
from research.benchmarks.comparison import Plan
from research.benchmarks.systems import (
    DECODING_SYSTEMS,
    TRAINING_SYSTEMS,
    TRANSLATOR_SYSTEMS,
    installed_systems,
)
from tf_models.command_line import Parser, run
from tf_models.errors import InputError
from tf_models.tasks.translation.architectures import ARCHITECTURES
from tf_models.tasks.translation.presets import preset
from tf_models.tasks.translation.settings import TranslatorSettings

EXAMPLES = """\
  python -m research.benchmarks.translator
      everything on the embedded corpus, in minutes
  python -m research.benchmarks.translator --corpus multi30k --data-dir data \\
      --run-dir runs/multi30k-best --output speed.json
      on Multi30k, decoding with a trained model
  python -m research.benchmarks.translator --part training --rounds 3 --threads 1 \\
      --systems tutorial tf-models-float32 pytorch-float32
PyTorch and CTranslate2 come with: pip install -e ".[benchmark]\""""

SYSTEMS = {"training": TRAINING_SYSTEMS, "decoding": DECODING_SYSTEMS}  # of each part
RECURRENT_SYSTEMS = ("tf-models-float32", "pytorch-float32")  # which compute in float32 only
EVERYDAY_PAIRS = 20_000  # of the embedded corpus, so that everything takes minutes
BRIEF_EPOCHS = 2
SENTENCES = 1000
SIZES = ("num_layers", "d_model", "num_heads", "dff", "units")


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("--part", choices=(*SYSTEMS, "all"), default="all", help="default: all")
    parser.add_argument(
        "--systems",
        nargs="+",
        choices=TRANSLATOR_SYSTEMS,
        metavar="NAME",
        help=f"default: all of {', '.join(TRANSLATOR_SYSTEMS)}",
    )
    add_options(parser)
    add_data_options(parser)
    add_training_options(parser)
    add_decoding_options(parser)
    return parser


def add_data_options(parser: Parser) -> None:
    data = parser.add_argument_group("data")
    data.add_argument(
        "--corpus", default="everyday", help="as train_translator.py takes it; default: everyday"
    )
    data.add_argument("--data-dir", type=Path, help="folder of downloads and TFDS data sets")
    data.add_argument(
        "--max-pairs",
        type=int,
        metavar="N",
        help=f"training pairs; default: {EVERYDAY_PAIRS} of everyday, all of other corpora",
    )


def add_training_options(parser: Parser) -> None:
    training = parser.add_argument_group("training")
    training.add_argument(
        "--seconds-per-round", type=float, default=8.0, metavar="S", help="default: 8"
    )
    training.add_argument(
        "--model",
        dest="architecture",
        default="transformer",
        metavar="NAME",
        help=f"{', '.join(ARCHITECTURES)}; the tutorial and decoding have the first only",
    )
    for size in SIZES:
        training.add_argument(f"--{size.replace('_', '-')}", type=int, metavar="N")
    training.add_argument("--pieces", type=int, metavar="N", help="subword pieces of each side")
    training.add_argument("--batch-size", type=int, metavar="B", help="sentence pairs")
    training.add_argument("--batch-tokens", type=int, metavar="N", help="in place of these")


def add_decoding_options(parser: Parser) -> None:
    decoding = parser.add_argument_group("decoding")
    decoding.add_argument(
        "--run-dir", type=Path, help="a trained run; default: the toy preset, trained briefly"
    )
    decoding.add_argument(
        "--sentences", type=int, default=SENTENCES, metavar="N", help=f"default: {SENTENCES}"
    )


def main(arguments: argparse.Namespace) -> None:
    plan = plan_from(arguments)
    check(arguments)
    corpus = load(arguments)  # first: a line on what is left out is for one that can be used
    systems = chosen_systems(arguments)
    measure = {"training": measure_training, "decoding": measure_decoding}
    measure_and_publish(
        lambda folder: {
            part: measure[part](arguments, corpus, names, folder, plan)
            for part, names in systems.items()
        },
        plan,
        arguments.output,
    )


def check(arguments: argparse.Namespace) -> None:
    """Check at once what would fail after minutes.

    Raises:
        InputError: an option is out of range, or --run-dir is not a translator's run.
    """
    from tf_models.training.run_directory import RunDirectory

    if arguments.sentences < 1:
        raise InputError(f"--sentences must be at least 1; received {arguments.sentences}")
    check_seconds(arguments, "seconds_per_round")
    training_settings(arguments)
    if arguments.run_dir is not None:
        RunDirectory(arguments.run_dir).read_config("translator")


def chosen_systems(arguments: argparse.Namespace) -> dict[str, list[str]]:
    """For each chosen part, if it has any, the systems of --systems that are installed.

    Raises:
        InputError: no part has any.
    """
    wanted = arguments.systems or TRANSLATOR_SYSTEMS
    known = {part: names for part, names in SYSTEMS.items() if arguments.part in (part, "all")}
    if arguments.architecture != "transformer":
        known = {part: RECURRENT_SYSTEMS for part in known if part == "training"}
    chosen = {part: [name for name in names if name in wanted] for part, names in known.items()}
    installed = {part: installed_systems(names, log) for part, names in chosen.items()}
    if not any(installed.values()):
        possible = dict.fromkeys(name for names in known.values() for name in names)
        raise InputError(
            f"no system to measure in --part {arguments.part}; received --systems "
            f"{' '.join(wanted)}; choose installed ones of {', '.join(possible)}"
        )
    return {part: names for part, names in installed.items() if names}


def training_settings(arguments: argparse.Namespace) -> TranslatorSettings:
    """The article's settings, with the sizes and batches of the command line.

    Raises:
        InputError: they are out of range, or do not fit each other.
    """
    names = (*SIZES, "pieces", "batch_size", "batch_tokens")
    given = {name: getattr(arguments, name) for name in names}
    settings = preset("article", arguments.architecture)
    # Like lengths together, but for the tutorial, which pads all batches alike.
    given = {n: v for n, v in given.items() if v is not None}
    return settings.changed(padded=False, **given)


def load(arguments: argparse.Namespace):
    """The corpus of the command line."""
    from tf_models.data.text.corpora import load_corpus

    pairs = arguments.max_pairs
    return load_corpus(
        arguments.corpus,
        data_dir=arguments.data_dir,
        max_pairs=EVERYDAY_PAIRS if pairs is None and arguments.corpus == "everyday" else pairs,
    )


def measure_training(arguments, corpus, names: list[str], folder: Path, plan: Plan) -> dict:
    from research.benchmarks.training_comparison import compare_training
    from research.benchmarks.training_systems import TrainingTask

    task = TrainingTask(corpus, training_settings(arguments), folder)
    return compare_training(task, names, arguments.seconds_per_round, plan)


def measure_decoding(arguments, corpus, names: list[str], folder: Path, plan: Plan) -> dict:
    from research.benchmarks.decoding_comparison import compare_decoding, train_briefly

    run_dir, model = arguments.run_dir, f"the model in {arguments.run_dir}"
    if run_dir is None:
        run_dir = folder / "brief"
        log(f"training a model for the decoding part ({BRIEF_EPOCHS} epochs of the toy preset)")
        model = train_briefly(corpus, preset("toy"), BRIEF_EPOCHS, run_dir, plan.threads)
    pairs = corpus.test[: arguments.sentences]
    results = compare_decoding(run_dir, pairs, names, folder, plan)
    return {"corpus": corpus.name, "model": model, **results}


if __name__ == "__main__":
    run(make_parser(), main)
