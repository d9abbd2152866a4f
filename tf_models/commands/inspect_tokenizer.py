"""Print how tokenizers split a sentence, their sizes and their special ids."""

import argparse
from pathlib import Path
from typing import Any

from tf_models.command_line import Parser, quiet_tensorflow
from tf_models.tasks.translation.ready_made import RUN_DIR_HELP, chosen_run_dir

EXAMPLES = """\
  tf-models inspect-tokenizer "He admired her."
      both tokenizers of the translator of the package
  tf-models inspect-tokenizer --run-dir runs/toy-toy "He admired her."
      those of a run
  tf-models inspect-tokenizer --bpemb en --pieces 10000 "Anthony Hopkins"
      a pretrained model of BPEmb: 10000 pieces, 10002 ids"""


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument(
        "sentence", nargs="?", metavar="SENTENCE", help="split it, and put it together again"
    )
    origin = parser.add_mutually_exclusive_group()
    origin.add_argument("--run-dir", type=Path, help=RUN_DIR_HELP)
    origin.add_argument("--bpemb", metavar="LANGUAGE", help="en, de, es ...")
    parser.add_argument(
        "--pieces", type=int, default=10_000, metavar="N", help="of BPEmb; default: 10000"
    )
    parser.add_argument(
        "--data-dir", type=Path, metavar="DIR", help="folder of downloads, such as BPEmb's"
    )
    return parser


def main(arguments: argparse.Namespace) -> None:
    for tokenizer in tokenizers(arguments):
        print(tokenizer.describe())
        if arguments.sentence is not None:
            print_split(tokenizer, arguments.sentence)


def tokenizers(arguments: argparse.Namespace) -> list:
    """BPEmb's, or both of a run."""
    if arguments.bpemb:
        from tf_models.data.text.bpemb import pretrained_tokenizer

        return [pretrained_tokenizer(arguments.bpemb, arguments.pieces, arguments.data_dir)]
    with quiet_tensorflow():
        from tf_models.tasks.translation.run import load_settings
        from tf_models.training.run_directory import RunDirectory

    _, pair = load_settings(RunDirectory(chosen_run_dir(arguments)))
    return [pair.source, pair.target]


def print_split(tokenizer: Any, sentence: str) -> None:
    """Pieces and ids of a sentence, what they are together, and what was left out."""
    from tf_models.data.text.sentence_encoder import check_sentence

    check_sentence(sentence)
    ids = tokenizer.encode(sentence)
    print(f"  pieces  {' '.join(tokenizer.tokens(ids))}")
    print(f"  ids     {' '.join(map(str, ids))}")
    print(f"  decoded {tokenizer.decode(ids)}")
    if unknown := tokenizer.unknown_characters(sentence):
        print(f"  unknown {' '.join(unknown)}")
