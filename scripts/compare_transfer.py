"""Train classifiers with few labels and with many: from random weights and from a translator's."""

import argparse
from pathlib import Path

from tf_models.command_line import print_repeats, quiet_tensorflow, run
from tf_models.errors import InputError, TrainingInterrupted
from tf_models.tasks.classification.options import (
    label_of_texts,
    load_texts_of,
    make_training_parser,
    settings_from,
)
from tf_models.training.run_directory import check_folder_of_runs
from tf_models.training.settings import check_seed

EXAMPLES = """\
  python scripts/compare_transfer.py --output transfer.png
      the translator that comes with the package: 100, 1,000 and 10,000 labels
  python scripts/compare_transfer.py --encoder-from runs/toy-toy --counts 50 500 --repeats 3
  python scripts/compare_transfer.py --train train.tsv --test test.tsv --counts 100 1000
Ctrl-C saves; the same command goes on where it stopped."""

COUNTS = (100, 1_000, 10_000)


def make_parser():
    folder = "runs/TEXTS-transfer, with a run for each"
    parser = make_training_parser(__doc__, EXAMPLES, folder, ("freeze", "patience"))
    parser.add_argument(
        "--encoder-from",
        default="ready-made",
        metavar="RUN_DIR",
        help="of a translator; default: %(default)s, the one that comes with the package",
    )
    parser.add_argument(
        "--counts", type=int, nargs="+", default=COUNTS, metavar="N", help="numbers of labels"
    )
    parser.add_argument(
        "--repeats", type=int, default=1, metavar="R", help="with other labels; default: 1"
    )
    parser.add_argument("--output", type=Path, metavar="F.png|pdf|svg", help="draw a figure, too")
    return parser


def main(arguments: argparse.Namespace) -> None:
    from tf_models.plotting.files import check_figure_path

    if arguments.output:
        check_figure_path(arguments.output)  # refused before minutes are spent
    if arguments.repeats < 1:
        raise InputError(f"--repeats must be at least 1; received {arguments.repeats}")
    check_seed(arguments.seed + arguments.repeats - 1)
    counts = sorted(set(arguments.counts))
    if arguments.max_texts is None and not (arguments.train or arguments.tfds):
        arguments.max_texts = max(2, *counts)
    settings, given = settings_from(arguments)
    folder = arguments.run_dir or Path("runs") / f"{label_of_texts(arguments)}-transfer"
    check_folder_of_runs(folder)
    with quiet_tensorflow():
        from tf_models.tasks.classification.transfer import compare_starts
        from tf_models.tasks.classification.translator_encoder import TranslatorEncoder
    encoder_from = TranslatorEncoder.find(arguments.encoder_from)
    settings = encoder_from.settings_for(settings, given)
    texts = load_texts_of(arguments)
    for count in counts:
        texts.with_fewer(count, 0)  # refused before minutes are spent
    accuracies = compare_starts(
        folder,
        texts,
        settings,
        encoder_from,
        counts,
        range(arguments.seed, arguments.seed + arguments.repeats),
        minutes=arguments.minutes,
    )
    if accuracies is None:
        raise TrainingInterrupted(folder)
    print()
    print_repeats("test accuracy", accuracies, counts)
    if arguments.output:
        draw(accuracies, counts, arguments.output)


def draw(accuracies: dict, counts: list[int], output: Path) -> None:
    from tf_models.plotting.files import save_figure
    from tf_models.plotting.lines import plot_repeats

    figure = plot_repeats(
        {f"encoder {name}": shares for name, shares in accuracies.items()},
        counts,
        axis_names=("training texts with a label", "test accuracy (%)"),
        title="what a translator's encoder is worth to a classifier",
    )
    save_figure(figure, output)
    print(output)


if __name__ == "__main__":
    run(make_parser(), main)
