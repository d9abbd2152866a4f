"""Write sentence pairs of the embedded corpus to a file, with their word alignment."""

import argparse
from pathlib import Path

from tf_models.command_line import Parser, add_seed, run
from tf_models.errors import InputError

EXAMPLES = """\
  python scripts/write_pairs.py --output pairs.tsv
      the first thousand training pairs: English, German, alignment
  python scripts/write_pairs.py --pairs 2000 --split test --output test.tsv
      the whole test split, which shares no sentence with the training pairs; takes a minute
An alignment is in Pharaoh's format: 0-0 1-2 says that the first words translate each other, and
the second English word the third German one. Words and punctuation marks count one each."""


def make_parser() -> Parser:
    from tf_models.data.text.corpora import TOY_SIZES

    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("--output", type=Path, required=True, metavar="F.tsv")
    parser.add_argument(
        "--pairs",
        type=int,
        default=1000,
        metavar="N",
        help="the first N of the split: at most {validation:,} of validation and {test:,} of test, "
        "whose first ones have more than their share of unseen names and of 'it'; "
        "more than {train:,} of train are those of train_translator.py --max-pairs N, "
        "which has other splits; default: 1000".format(**TOY_SIZES),
    )
    parser.add_argument(
        "--split",
        choices=tuple(TOY_SIZES),
        default="train",
        help="of the corpus that train_translator.py trains on by default; default: train",
    )
    add_seed(parser, "of the sentences; default: 0")
    return parser


def main(arguments: argparse.Namespace) -> None:
    from tf_models.data.grammar import first_of_split
    from tf_models.data.text.corpora import TOY_SIZES
    from tf_models.files import check_writable, write_text

    if arguments.pairs < 1:
        raise InputError(f"--pairs must be at least 1; received {arguments.pairs}")
    # There is no end of training pairs.
    sizes = TOY_SIZES | {"train": max(TOY_SIZES["train"], arguments.pairs)}
    if arguments.pairs > (most := sizes[arguments.split]):
        raise InputError(f"{arguments.split} has {most} pairs; received --pairs {arguments.pairs}")
    check_writable(arguments.output)
    pairs = first_of_split(arguments.split, arguments.pairs, sizes, arguments.seed)
    write_text(arguments.output, "".join(f"{line(pair)}\n" for pair in pairs))
    print(f"{len(pairs)} pairs: {arguments.output}")


def line(pair) -> str:
    links = " ".join(f"{source}-{target}" for source, target in pair.written.alignment)
    return f"{pair.source}\t{pair.target}\t{links}"


if __name__ == "__main__":
    run(make_parser(), main)
