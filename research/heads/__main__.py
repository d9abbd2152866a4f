"""Measure every head of a translator: what it attends to, and what is lost without it.

The sentences are those of the embedded corpus, whose trees know which words translate each other,
what "it" stands for, the subject of a verb and the noun of an adjective.
"""

import argparse
from pathlib import Path

from research.options import Parser, run, seed
from tf_models.command_line import quiet_tensorflow
from tf_models.data.embedded.annotated_pairs import SPLITS
from tf_models.errors import InputError
from tf_models.tasks.translation.ready_made import RUN_DIR

EXAMPLES = """\
  python -m research.heads --output heads
      the translator of the package on a thousand sentences: tables, and heads/heads.csv,
      heads.json, effects.png and similarity.png; two minutes
  python -m research.heads --run-dir runs/toy-toy --split validation --max-sentences 300
      a translator of your own; tables only
  python -m research.heads --sinks --run-dir runs/toy-toy --output sinks
      only how much attention each head rests on the start and the end token, and gives the noun
      of "it": half a minute; a table, and sinks/sinks.csv, sinks.png
  python -m research.heads --figure effects --output effects.pdf
Each head is ablated, left alone in its block, and kept from attending to the noun. The baselines
are a random head, an untrained model and a diagonal."""
SENTENCES = 1000


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("--run-dir", type=Path, help="default: the translator of the package")
    parser.add_argument("--checkpoint", metavar="NAME", help="default: what training chose")
    parser.add_argument(
        "--split",
        choices=SPLITS,
        default="test",
        help="of the embedded corpus that it was trained on; default: test",
    )
    parser.add_argument(
        "--max-sentences",
        type=int,
        default=SENTENCES,
        metavar="N",
        help="the first N of the split, which have more than their share of 'it'; "
        "default: %(default)s",
    )
    parser.add_argument(
        "--seed",
        type=seed,
        default=0,
        help="of the random head and the untrained model; default: 0",
    )
    parser.add_argument(
        "--sinks",
        action="store_true",
        help="measure only attention to the start and the end token, and to the noun of 'it'",
    )
    parser.add_argument(
        "--figure",
        choices=("effects", "similarity"),
        help="the only file to write: attention to the noun against what is lost without the head, "
        "or which heads attend alike",
    )
    parser.add_argument(
        "--output",
        type=Path,
        metavar="PATH",
        help="folder of all tables and figures, or F.png|pdf|svg of --figure",
    )
    return parser


def main(arguments: argparse.Namespace) -> None:
    check_output(arguments)
    with quiet_tensorflow():
        from research.heads import report, sinks
        from research.heads.forced_attention import forced_attention
        from research.heads.measurement import check_has_heads, measure_heads
        from research.heads.sentences import embedded_corpus_of, gold_sentences
        from tf_models.runtime import use_cores_for_inference
        from tf_models.tasks.translation.run import load_settings
        from tf_models.tasks.translation.translator import Translator
        from tf_models.training.run_directory import RunDirectory
    use_cores_for_inference()
    run_dir = arguments.run_dir or RUN_DIR
    translator = Translator.load(run_dir, arguments.checkpoint)
    check_has_heads(translator)
    settings, _ = load_settings(RunDirectory(run_dir))
    corpus = embedded_corpus_of(run_dir)
    sentences = gold_sentences(translator, arguments.split, arguments.max_sentences, corpus)
    if arguments.sinks:
        measured = sinks.measure_sinks(forced_attention(translator, sentences, progress=True))
        saved = sinks.save(measured, arguments.output) if arguments.output else []
        print(*sinks.table(measured), *saved, sep="\n")
        return
    measured = measure_heads(translator, settings, sentences, arguments.seed, progress=True)
    for line in report.tables(measured):
        print(line)
    for path in written(measured, arguments.figure, arguments.output):
        print(path)


def written(measured, figure: str | None, output: Path | None) -> list[Path]:
    """The files that are asked for.

    Raises:
        InputError: no sentence has what the figure shows.
    """
    from research.heads import report
    from tf_models.plotting.files import save_figure

    if output is None:
        return []
    if figure is None:
        return report.save(measured, output)
    drawn = report.figures(measured)
    if figure not in drawn:
        raise InputError("no sentence has an 'it' to draw; pass more --max-sentences")
    return [save_figure(drawn[figure], output)]


def check_output(arguments: argparse.Namespace) -> None:
    """Refuse what cannot be written before minutes are spent."""
    from tf_models.files import check_can_be_made, check_writable
    from tf_models.plotting.files import check_figure_path

    output = arguments.output
    if arguments.figure and arguments.sinks:
        raise InputError("--figure needs all measurements, not --sinks alone; leave one out")
    if arguments.figure and output is None:
        raise InputError("--figure needs --output, the file to write it to")
    if output is None:
        return
    if arguments.figure:
        check_figure_path(output)
    elif output.is_dir():
        check_writable(output / "heads.csv")
    elif output.exists():
        raise InputError(f"--output {output} is a file; name a folder")
    else:
        check_can_be_made(output)


if __name__ == "__main__":
    run(make_parser(), main)
