"""Measure every head of a translator: what it attends to, and what is lost without it.

The sentences are those of the embedded corpus, whose columns say which words translate each other,
what "it" stands for, the subject of a verb and the noun of an adjective.
"""

import argparse
from pathlib import Path

import tensorflow as tf

from research.command import parser_of, run
from research.heads import report
from research.heads.measurement import check_has_heads, measure_heads
from research.heads.sentences import embedded_corpus_of, gold_sentences
from tf_models.data.pairs import SPLITS
from tf_models.errors import InputError
from tf_models.plotting.files import save_figure
from tf_models.training.run_directory import RUN_DIR, RunDirectory
from tf_models.translation.translate import Translator, load_settings

EXAMPLES = """\
  python -m research.heads --max-sentences 300 --output heads
      the translator of the package: tables, and heads/heads.csv, heads/effects.png; minutes
  python -m research.heads --run-dir runs/toy-toy --split validation --max-sentences 300
      a translator of your own; tables only
  python -m research.heads --max-sentences 300 --output effects.pdf
      the figure alone
  python -m research.heads --it
      "it": the right noun against the other one in encoder and cross-attention; a minute
Each head is ablated, and left alone in its block. The baseline of attention is the mean head of an
untrained model."""
SENTENCES = 1000
FIGURES = (".png", ".pdf", ".svg")


def make_parser() -> argparse.ArgumentParser:
    parser = parser_of(__doc__, EXAMPLES)
    help = "of a translator; default: that of the package"
    parser.add_argument("--run-dir", type=Path, default=RUN_DIR, help=help)
    help = "of the embedded corpus that it was trained on; default: test"
    parser.add_argument("--split", choices=SPLITS, default="test", help=help)
    help = "the first N of the split, which have more than their share of 'it'; default: 1000"
    parser.add_argument("--max-sentences", type=int, default=SENTENCES, metavar="N", help=help)
    help = "of the untrained model; default: 0"
    parser.add_argument("--seed", type=int, default=0, help=help)
    help = "folder of table and figure, or F.png|pdf|svg of the figure"
    parser.add_argument("--output", type=Path, metavar="PATH", help=help)
    help = "only the attention of 'it' to two nouns, over all pairs that have them"
    parser.add_argument("--it", action="store_true", help=help)
    return parser


def main(arguments: argparse.Namespace) -> None:
    tf.config.threading.set_intra_op_parallelism_threads(1)  # a batch on each core
    run_dir = arguments.run_dir
    translator = Translator.load(run_dir)
    check_has_heads(translator)
    settings, _ = load_settings(RunDirectory(run_dir))
    corpus = embedded_corpus_of(run_dir)
    if arguments.it:
        print(*report.pronoun_table(translator, corpus), sep="\n")
        return
    sentences = gold_sentences(translator, arguments.split, arguments.max_sentences, corpus)
    measured = measure_heads(translator, settings, sentences, arguments.seed, progress=True)
    print(*report.tables(measured), sep="\n")
    output = arguments.output
    if output and output.suffix in FIGURES:
        figure = report.effects_figure(measured)
        if figure is None:
            raise InputError("no sentence has an 'it' to draw; pass more --max-sentences")
        print(save_figure(figure, output))
    elif output:
        print(*report.save(measured, output), sep="\n")


if __name__ == "__main__":
    run(make_parser(), main)
