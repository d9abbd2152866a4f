"""Options of a translator's corpus, for the command lines that read one."""

import argparse
from pathlib import Path

from tf_models.command_line import Parser

MAX_LENGTHS = "64 (toy); 41 and 42 (article); 100 (best); in translation 128"


def add_data_arguments(parser: Parser, several: bool = False) -> None:
    """--corpus, one or several, and how to read it."""
    data = parser.add_argument_group("data")
    forms = (
        "toy (default), everyday, tatoeba, multi30k, a tab-separated file, SOURCE,TARGET files "
        "a folder in Multi30k's layout, or tfds:NAME/CONFIG"
    )
    if several:
        forms += "; name several to train on all of them together"
    options = {"default": ["toy"], "nargs": "+"} if several else {"default": "toy"}
    data.add_argument("--corpus", metavar="NAME", help=forms, **options)
    data.add_argument(
        "--languages",
        type=_language_pair,
        metavar="SOURCE-TARGET",
        help="en-es, de-en ...; default: as the corpus says",
    )
    data.add_argument(
        "--data-dir", type=Path, metavar="DIR", help="folder of downloads and TFDS data sets"
    )
    data.add_argument(
        "--max-pairs", type=int, metavar="N", help="train on at most N pairs of each corpus"
    )


def _language_pair(text: str) -> tuple[str, str]:
    """ "en-de"; or "pt-br,en", where a code has a hyphen."""
    codes = text.split("," if "," in text else "-")
    if len(codes) != 2 or not all(codes):
        raise argparse.ArgumentTypeError(f"must be as en-de; received {text!r}")
    return codes[0], codes[1]


def add_max_length(group: argparse._ArgumentGroup) -> None:
    """--max-length, in place of the settings that depend on it."""
    group.add_argument(
        "--max-length",
        type=int,
        metavar="TOKENS",
        help="longest sentence, in training and in translation, start and end included; "
        f"default: {MAX_LENGTHS}",
    )


def max_lengths(arguments: argparse.Namespace) -> dict[str, object]:
    """What --max-length says of batches."""
    if arguments.max_length is None:
        return {}
    return {"max_lengths": (arguments.max_length, arguments.max_length), "padded": False}
