"""Train translators of several architectures on one corpus, and compare them.

BLEU by sentence length shows what a fixed-length vector cannot hold, BLEU by minutes what
attention does for training, the alignments where the models look.
"""

import argparse
from pathlib import Path

from tf_models.command_line import (
    Parser,
    given_settings,
    quiet_tensorflow,
    refuse_options,
    run,
)
from tf_models.errors import InputError
from tf_models.tasks.translation.architectures import ARCHITECTURES
from tf_models.tasks.translation.options import (
    default_run_dir,
    load_corpus_of,
    make_training_parser,
)
from tf_models.tasks.translation.presets import preset
from tf_models.training.run_directory import check_folder_of_runs

EXAMPLES = """\
  python scripts/compare_translators.py
      the three models, some ten minutes each, on embedded sentences of up to 40 words
  python scripts/compare_translators.py --models rnn rnn-attention --cell lstm
  python scripts/compare_translators.py --corpus multi30k --preset best --epochs 30 \\
      --sentence "A man is riding a red bicycle down the street."
Ctrl-C saves; the same command goes on where it stopped, and only measures what is trained."""

EPOCHS = 3  # of all models alike
SENTENCES = (
    "The animal didn't cross the street because it was too tired.",
    "The dog is tired, and the street is too wide, and my sister reads a good book.",
)


def make_parser() -> Parser:
    folder = "runs/CORPUS-comparison, with a run for each model, and the figures"
    parser = make_training_parser(__doc__, EXAMPLES, folder, names_model=False)
    parser.set_defaults(corpus="toy-long.tsv.xz", epochs=EPOCHS)
    parser.add_argument(
        "--models",
        nargs="+",
        default=tuple(ARCHITECTURES),
        metavar="NAME",
        help=f"two or more of {', '.join(ARCHITECTURES)}; default: all",
    )
    parser.add_argument(
        "--sentence", nargs="+", default=SENTENCES, help="whose alignments are drawn side by side"
    )
    return parser


def main(arguments: argparse.Namespace) -> None:
    with quiet_tensorflow():
        from tf_models.tasks.translation.comparison import check_models, contending_settings
        from tf_models.tasks.translation.trials import train_trial
    check_models(arguments.models)
    folder = arguments.run_dir or default_run_dir(arguments.corpus, "comparison")
    check_folder_of_runs(folder)
    presets = [preset(arguments.preset, name) for name in arguments.models]
    given = given_settings(arguments, *presets)
    others = [one.settings for one in ARCHITECTURES.values()]
    foreign = given_settings(arguments, *others).keys() - given.keys()
    refuse_options(f"--models {' '.join(arguments.models)}", sorted(foreign))
    settings = contending_settings(arguments.preset, arguments.models, given)
    corpus = load_corpus_of(arguments)
    for name in arguments.models:
        print(f"\n{name}: {folder / name}")
        options = {"bpemb_cache": arguments.bpemb_cache, "minutes": arguments.minutes}
        train_trial(folder / name, corpus, settings[name], arguments.seed, **options)
    show(folder, corpus, arguments)


def show(folder: Path, corpus, arguments: argparse.Namespace) -> None:
    """Measure all models, print the table and draw the figures."""
    from tf_models.plotting.files import save_figure
    from tf_models.tasks.translation import comparison

    found = {
        name: comparison.measure(folder / name, corpus, progress=True) for name in arguments.models
    }
    print()
    for line in comparison.table(found):
        print(line)
    figures = {
        "bleu-by-length": comparison.plot_bleu_by_length(found),
        "bleu-by-minutes": comparison.plot_bleu_by_minutes(found),
    }
    for number, sentence in enumerate(arguments.sentence, start=1):
        try:
            figures[f"alignments-{number}"] = comparison.plot_alignments(found, sentence)
        except InputError as error:  # a model of one epoch may write more than another can read
            print(f"\nno alignments of {sentence!r}: {error}")
    print("\nfigures:")
    for name, figure in figures.items():
        path = folder / "figures" / f"{name}.png"
        save_figure(figure, path)
        print(f"  {path}")


if __name__ == "__main__":
    run(make_parser(), main)
