"""Measure every head of a translator: what it attends to, and what is lost without it.

The sentences are those of the embedded corpus, whose columns say which words translate each other,
what "it" stands for, the subject of a verb and the noun of an adjective. Each head is ablated, and
left alone in its block.
"""

import argparse
import os
import sys
from pathlib import Path

from research.command import new_parser, run
from tf_models.cli.command_line import quiet_tensorflow
from tf_models.data.pairs import SPLITS
from tf_models.files import write_text
from tf_models.translation.settings import RUN_DIR


def make_parser() -> argparse.ArgumentParser:
    parser = new_parser("research.heads", __doc__)
    help = "of a translator; default: that of the package"
    parser.add_argument("--run-dir", type=Path, default=RUN_DIR, help=help)
    help = "of the embedded corpus that it was trained on; default: test"
    parser.add_argument("--split", choices=SPLITS, default="test", help=help)
    help = "the first N of the split, which have more than their share of 'it'; default: 1000"
    parser.add_argument("--max-sentences", type=int, default=1000, metavar="N", help=help)
    help = "folder of the table, heads.csv"
    parser.add_argument("--output", type=Path, metavar="FOLDER", help=help)
    help = "only 'it': attention to two nouns in all pairs that have them, and two heads ablated"
    parser.add_argument("--it", action="store_true", help=help)
    return parser


def main(arguments: argparse.Namespace) -> None:
    with quiet_tensorflow():
        from research.heads import report
        from research.heads.measurement import check_has_heads, measure_heads
        from research.heads.sentences import embedded_corpus_of, gold_sentences
        from tf_models.translation.translate import Translator
    run_dir = arguments.run_dir
    translator = Translator.load(run_dir)
    check_has_heads(translator)
    print("reading the corpus", file=sys.stderr)
    corpus = embedded_corpus_of(run_dir)
    if arguments.it:
        print(*report.pronoun_table(translator, corpus), sep="\n", end="\n\n")
        print(*report.pair_table(translator, corpus), sep="\n")
        return
    sentences = gold_sentences(translator, arguments.split, arguments.max_sentences, corpus)
    print(
        f"measuring all heads with {len(sentences):,} sentences, a minute or more", file=sys.stderr
    )
    measured = measure_heads(translator, sentences)
    print(*report.tables(measured), sep="\n")
    if arguments.output:
        arguments.output.mkdir(parents=True, exist_ok=True)
        write_text(arguments.output / "heads.csv", measured.as_csv())
        print(arguments.output / "heads.csv")


if __name__ == "__main__":
    os.environ.setdefault("TF_NUM_INTRAOP_THREADS", "1")  # a batch on each core
    run(make_parser(), main)
