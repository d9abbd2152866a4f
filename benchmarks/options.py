"""How long and how patiently to measure: the options that all benchmarks have."""

import argparse
import json
import sys
from pathlib import Path

from benchmarks.comparison import Plan
from benchmarks.machine import available_cores
from benchmarks.quiet import Patience
from tf_models.errors import InputError
from tf_models.files import check_writable, write_text

LONGEST = 100_000  # seconds
STANDARD_OUTPUT = "-"


def add_options(parser: argparse.ArgumentParser) -> None:
    """--rounds, --threads, --patience and --json."""
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="default: 5")
    parser.add_argument(
        "--threads", type=int, metavar="N", help="cores for each rival; default: all"
    )
    parser.add_argument(
        "--patience",
        type=float,
        default=120.0,
        metavar="S",
        help="seconds in all to wait while other processes keep the machine busy, and to repeat "
        "rounds that they disturb; default: 120",
    )
    parser.add_argument("--json", metavar="FILE", help="write all figures; - for standard output")


def plan_from(arguments: argparse.Namespace) -> Plan:
    """What these options ask for.

    Raises:
        InputError: one of them makes no sense, or the file of --json cannot be written.
    """
    cores = available_cores()
    threads = cores if arguments.threads is None else arguments.threads
    if arguments.rounds < 1:
        raise InputError(f"--rounds must be at least 1; received {arguments.rounds}")
    if not 1 <= threads <= cores:
        raise InputError(f"--threads must be 1 to {cores}; received {threads}")
    check_seconds(arguments, "patience")
    if arguments.json not in (None, STANDARD_OUTPUT):
        check_writable(arguments.json)
    return Plan(arguments.rounds, threads, Patience(arguments.patience), _watch)


def check_seconds(arguments: argparse.Namespace, name: str) -> None:
    """Refuse what is no number of seconds.

    Raises:
        InputError: the option is not 0 to `LONGEST`.
    """
    if not 0 <= getattr(arguments, name) <= LONGEST:
        raise InputError(
            f"--{name.replace('_', '-')} must be 0 to {LONGEST} seconds; "
            f"received {getattr(arguments, name)}"
        )


def publish(results: dict, text: str, file: str | None) -> None:
    """Print the text, and write the results to a file; "-" prints them instead."""
    if file == STANDARD_OUTPUT:
        print(json.dumps(results, indent=2))
        return
    print(text)
    if file:
        write_text(Path(file), json.dumps(results, indent=2) + "\n")


def say(line: str) -> None:
    """Tell the reader, past standard output."""
    print(line, file=sys.stderr)


def _watch(items, title: str):
    from tqdm import tqdm

    return tqdm(items, desc=title, leave=False, disable=None)
