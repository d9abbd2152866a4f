"""Time training and decoding beside their rivals: the tutorial's way, PyTorch and CTranslate2."""

import argparse
import tempfile
from pathlib import Path

from benchmarks.comparison import DECODING, RIVALS, TRAINING, Plan, taking_part
from benchmarks.options import add_options, check_seconds, plan_from, publish, say
from tf_models.command_line import Parser
from tf_models.errors import InputError
from tf_models.tasks.translation.settings import TranslatorSettings, preset

EXAMPLES = """\
  python scripts/benchmark_translator.py
      everything on the embedded corpus, in minutes
  python scripts/benchmark_translator.py --corpus multi30k --data-dir data \\
      --run-dir runs/multi30k-toy --json speed.json
      on Multi30k, decoding with a trained model
  python scripts/benchmark_translator.py --part training --rounds 3 --threads 1 \\
      --rivals tutorial tf-models-float32 pytorch-float32
PyTorch and CTranslate2 come with: pip install -e ".[benchmark]\""""

TOY_PAIRS = 20_000  # of the embedded corpus, so that everything takes minutes
TOY_EPOCHS = 2
SENTENCES = 1000


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("--part", choices=("training", "decoding", "all"), default="all")
    parser.add_argument(
        "--rivals", nargs="+", metavar="NAME", help=f"default: all of {', '.join(RIVALS)}"
    )
    add_options(parser)
    data = parser.add_argument_group("data")
    data.add_argument(
        "--corpus", default="toy", help="as train_translator.py takes it; default: toy"
    )
    data.add_argument("--source-language", metavar="CODE", help="en, de, es …")
    data.add_argument("--target-language", metavar="CODE")
    data.add_argument("--data-dir", type=Path, help="folder of downloads and TFDS data sets")
    data.add_argument(
        "--max-pairs",
        type=int,
        metavar="N",
        help=f"training pairs; default: {TOY_PAIRS} of toy, all of other corpora",
    )
    training = parser.add_argument_group("training")
    training.add_argument(
        "--seconds-per-round", type=float, default=8.0, metavar="S", help="default: 8"
    )
    training.add_argument("--num-layers", type=int, metavar="N")
    training.add_argument("--d-model", type=int, metavar="N")
    training.add_argument("--num-heads", type=int, metavar="N")
    training.add_argument("--dff", type=int, metavar="N")
    training.add_argument("--pieces", type=int, metavar="N", help="subword pieces of each side")
    training.add_argument(
        "--batching",
        default="bucketed",
        help="of all but the tutorial: bucketed (default), tokens or article",
    )
    training.add_argument("--batch-size", type=int, metavar="B", help="sentence pairs")
    training.add_argument("--batch-tokens", type=int, metavar="N", help="of --batching tokens")
    decoding = parser.add_argument_group("decoding")
    decoding.add_argument(
        "--run-dir", type=Path, help="a trained run; default: the toy preset, trained briefly"
    )
    decoding.add_argument(
        "--sentences", type=int, default=SENTENCES, metavar="N", help=f"default: {SENTENCES}"
    )
    return parser


def main(arguments: argparse.Namespace) -> None:
    from benchmarks.report import report

    plan = plan_from(arguments)
    check(arguments)
    results = measure(arguments, plan)
    publish(results, report(results), arguments.json)


def check(arguments: argparse.Namespace) -> None:
    """Refuse at once what would fail after minutes."""
    from tf_models.training.run_directory import RunDirectory

    if arguments.sentences < 1:
        raise InputError(f"--sentences must be at least 1; received {arguments.sentences}")
    check_seconds(arguments, "seconds_per_round")
    if arguments.run_dir is not None:
        RunDirectory(arguments.run_dir).read_config("translator")


def measure(arguments: argparse.Namespace, plan: Plan) -> dict:
    from benchmarks.machine import describe_machine

    settings = training_settings(arguments)
    corpus = load(arguments)
    names = {
        part: taking_part(rivals, arguments.rivals, say)
        for part, rivals in (("training", TRAINING), ("decoding", DECODING))
        if arguments.part in (part, "all")
    }
    if not any(names.values()):
        raise InputError(f"nobody takes part in {arguments.part}; choose other --rivals")
    results = {"machine": describe_machine(), "threads": plan.threads, "rounds": plan.rounds}
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        if names.get("training"):
            results["training"] = training_part(
                arguments, corpus, settings, names["training"], Path(folder), plan
            )
        if names.get("decoding"):
            results["decoding"] = decoding_part(
                arguments, corpus, names["decoding"], Path(folder), plan
            )
    return results


def training_settings(arguments: argparse.Namespace) -> TranslatorSettings:
    """The article's settings, but batches of like lengths."""
    names = (
        *("num_layers", "d_model", "num_heads", "dff", "pieces"),
        *("batching", "batch_size", "batch_tokens"),
    )
    return preset("article").changed(**{name: getattr(arguments, name) for name in names})


def load(arguments: argparse.Namespace):
    from tf_models.data.text.corpora import load_corpus

    pairs = arguments.max_pairs
    return load_corpus(
        arguments.corpus,
        source_language=arguments.source_language,
        target_language=arguments.target_language,
        data_dir=arguments.data_dir,
        max_pairs=TOY_PAIRS if pairs is None and arguments.corpus == "toy" else pairs,
    )


def training_part(arguments, corpus, settings, names, folder: Path, plan: Plan) -> dict:
    from benchmarks.training_comparison import compare_training
    from benchmarks.training_systems import TrainingTask

    task = TrainingTask(corpus, settings, folder)
    return compare_training(task, names, arguments.seconds_per_round, plan)


def decoding_part(arguments, corpus, names, folder: Path, plan: Plan) -> dict:
    from benchmarks.decoding_comparison import compare_decoding, train_briefly

    run_dir, model = arguments.run_dir, f"the model in {arguments.run_dir}"
    if run_dir is None:
        run_dir = folder / "brief"
        say(f"training a model for the decoding part ({TOY_EPOCHS} epochs of the toy preset)")
        model = train_briefly(corpus, preset("toy"), TOY_EPOCHS, run_dir, plan.threads)
    pairs = corpus.test[: arguments.sentences]
    results = compare_decoding(run_dir, pairs, names, folder, plan)
    return {"corpus": corpus.name, "model": model, **results}
