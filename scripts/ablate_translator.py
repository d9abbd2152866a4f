"""Train a translator without each of its ingredients in turn: what is each one worth?

An ingredient that is taken out is as the article has it: dropout 0.1 in place of 0.3, and so on.
"""

import argparse
from pathlib import Path
from statistics import mean

from tf_models.command_line import Parser, quiet_tensorflow, run
from tf_models.errors import InputError
from tf_models.tasks.translation.ablation import (
    INGREDIENTS,
    WHOLE,
    measure_trial,
    trials,
)
from tf_models.tasks.translation.options import (
    default_run_dir,
    load_corpus_of,
    make_training_parser,
    settings_from,
)
from tf_models.tasks.translation.trials import train_trials
from tf_models.training.run_directory import check_folder_of_runs

EXAMPLES = """\
  python scripts/ablate_translator.py --corpus multi30k --data-dir data
      validation BLEU of the preset best without each of its ingredients, two seeds; hours
  python scripts/ablate_translator.py --corpus multi30k --max-pairs 10000 --epochs 30 \\
      --precision mixed_bfloat16 --repeats 3 --output ingredients.png
  python scripts/ablate_translator.py --corpus deu.txt --without dropout "joint BPE"
Ctrl-C saves; the same command goes on where it stopped."""

EPOCHS = 20  # a preset's own would take days, all runs together


def make_parser() -> Parser:
    folder = "runs/CORPUS-ablation, with a run for each ingredient and seed"
    parser = make_training_parser(__doc__, EXAMPLES, folder)
    parser.set_defaults(preset="best", epochs=EPOCHS)
    parser.add_argument(
        "--repeats", type=int, default=2, metavar="N", help="seeds, from --seed on; default: 2"
    )
    parser.add_argument(
        "--without",
        nargs="+",
        default=tuple(INGREDIENTS),
        metavar="INGREDIENT",
        help=f"only these of {', '.join(INGREDIENTS)}",
    )
    parser.add_argument("--output", type=Path, metavar="F.png|pdf|svg", help="draw a figure, too")
    return parser


def main(arguments: argparse.Namespace) -> None:
    from tf_models.plotting.files import check_figure_path

    if arguments.output:
        check_figure_path(arguments.output)  # refused before hours are spent
    if arguments.repeats < 1:
        raise InputError(f"--repeats must be at least 1; received {arguments.repeats}")
    settings = settings_from(arguments)
    trained = trials(settings, arguments.without)
    folder = arguments.run_dir or default_run_dir(arguments.corpus, "ablation")
    check_folder_of_runs(folder)
    corpus = load_corpus_of(arguments)
    with quiet_tensorflow():
        import tf_models.tasks.translation.train  # noqa: F401 - what starts up shall be quiet
    bleu: dict[str, list[float]] = {}
    seeds = range(arguments.seed, arguments.seed + arguments.repeats)
    options = {"bpemb_cache": arguments.bpemb_cache, "minutes": arguments.minutes}
    for one in train_trials(folder, corpus, trained, seeds, **options):
        for row, value in measure_trial(one.name, one.run_dir, corpus, one.settings).items():
            bleu.setdefault(row, []).append(value)
    show(bleu, arguments.output)


def show(bleu: dict[str, list[float]], output: Path | None) -> None:
    width = max(map(len, bleu))
    whole = mean(bleu[WHOLE])
    print(f"\n{'validation BLEU':{width}}    mean  difference  of each seed")
    for name, values in bleu.items():
        difference = f"{mean(values) - whole:+12.2f}" if name != WHOLE else " " * 12
        print(f"{name:{width}}{mean(values):8.2f}{difference}{each(values)}")
    if output is None:
        return
    from tf_models.plotting.dots import plot_dots
    from tf_models.plotting.files import save_figure

    figure = plot_dots(
        bleu,
        axis_name="validation BLEU, a dot for each seed",
        title="what each ingredient is worth",
    )
    save_figure(figure, output)
    print(output)


def each(values: list[float]) -> str:
    return "  " + "".join(f"{value:8.2f}" for value in values)


if __name__ == "__main__":
    run(make_parser(), main)
