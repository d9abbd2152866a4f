"""Measure every head of a translator: where it looks, and what is lost without it.

The sentences are those of the embedded corpus, whose trees know which words translate each other,
what "it" stands for, the subject of a verb and the noun of an adjective.
"""

import argparse
from pathlib import Path

from tf_models.command_line import Parser, add_seed, quiet_tensorflow, run
from tf_models.errors import InputError
from tf_models.tasks.translation.ready_made import add_translator_arguments, chosen_run_dir

EXAMPLES = """\
  python scripts/measure_heads.py --output heads
      the translator of the package on a thousand sentences: tables, and heads/heads.csv,
      heads.json, heads.png and similarity.png; two minutes
  python scripts/measure_heads.py --run-dir runs/toy-toy --split validation --max-sentences 300
      a translator of your own; two minutes, tables only
  python scripts/measure_heads.py --figure heads.pdf
Each head is switched off, left alone in its block, and kept from looking at the noun. Beside the
heads stand a random one, an untrained model and a diagonal."""
SENTENCES = 1000


def make_parser() -> Parser:
    from tf_models.data.text.corpora import TOY_SIZES

    parser = Parser(__doc__, EXAMPLES)
    add_translator_arguments(parser)
    parser.add_argument(
        "--split",
        choices=tuple(TOY_SIZES),
        default="test",
        help="of the embedded corpus as train_translator.py has it by default; default: test",
    )
    parser.add_argument(
        "--max-sentences",
        type=int,
        default=SENTENCES,
        metavar="N",
        help="the first N of the split, which have more than their share of 'it'; "
        "default: %(default)s",
    )
    add_seed(parser, "of the sentences, the random head and the untrained model; default: 0")
    parser.add_argument(
        "--output", type=Path, metavar="DIR", help="folder of the tables and figures"
    )
    for name, shows in (
        ("figure", "attention to the noun against what is lost without the head"),
        ("similarity", "which heads look alike"),
    ):
        parser.add_argument(f"--{name}", type=Path, metavar="F.png|pdf|svg", help=f"draw {shows}")
    return parser


def main(arguments: argparse.Namespace) -> None:
    check_places(arguments)
    with quiet_tensorflow():
        from tf_models.plotting.files import save_figure
        from tf_models.runtime import use_cores_for_inference
        from tf_models.tasks.translation.heads import report
        from tf_models.tasks.translation.heads.measurement import check_has_heads, measure_heads
        from tf_models.tasks.translation.heads.sentences import gold_sentences
        from tf_models.tasks.translation.run import load_settings
        from tf_models.tasks.translation.translator import Translator
        from tf_models.training.run_directory import RunDirectory
    use_cores_for_inference()
    run_dir = chosen_run_dir(arguments)
    translator = Translator.load(run_dir, arguments.checkpoint)
    check_has_heads(translator)
    settings, _ = load_settings(RunDirectory(run_dir))
    chosen = (arguments.split, arguments.max_sentences, arguments.seed)
    sentences = gold_sentences(translator, *chosen)
    measured = measure_heads(translator, settings, sentences, arguments.seed, progress=True)
    for line in report.tables(measured):
        print(line)
    paths = report.save(measured, arguments.output) if arguments.output else []
    if arguments.figure:
        figure = report.effects_figure(measured)
        if figure is None:
            raise InputError("no sentence has an 'it' to draw; pass more --max-sentences")
        paths.append(save_figure(figure, arguments.figure))
    if arguments.similarity:
        paths.append(save_figure(report.similarity_figure(measured), arguments.similarity))
    if paths:
        print()
    for path in paths:
        print(path)


def check_places(arguments: argparse.Namespace) -> None:
    """Refuse what cannot be written or measured before minutes are spent."""
    from tf_models.files import check_can_be_made, check_writable
    from tf_models.plotting.files import check_figure_path

    for path in filter(None, (arguments.figure, arguments.similarity)):
        check_figure_path(path)
    if arguments.output is None:
        return
    if arguments.output.is_dir():
        check_writable(arguments.output / "heads.csv")
    elif arguments.output.exists():
        raise InputError(f"--output {arguments.output} is a file; name a folder")
    else:
        check_can_be_made(arguments.output)


if __name__ == "__main__":
    run(make_parser(), main)
