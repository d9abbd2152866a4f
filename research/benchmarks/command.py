"""What both benchmark commands share: their options, their plan, and how results are published."""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from research.benchmarks.comparison import Plan
from research.benchmarks.quiet import WaitBudget
from tf_models.errors import InputError
from tf_models.files import check_writable, write_text

MAXIMUM_SECONDS = 100_000
STANDARD_OUTPUT = "-"


def add_options(
    parser: argparse.ArgumentParser, output: str = "all figures, as JSON; - for standard output"
) -> None:
    """--rounds, --threads, --wait-seconds and --output, which holds what `output` says."""
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="default: 5")
    parser.add_argument(
        "--threads", type=int, metavar="N", help="cores for each system; default: all"
    )
    parser.add_argument(
        "--wait-seconds",
        type=float,
        default=120.0,
        metavar="S",
        help="seconds in all to wait while other processes keep the machine busy, and to repeat "
        "rounds that they disturb; default: 120",
    )
    parser.add_argument("--output", metavar="FILE", help=output)


def plan_from(arguments: argparse.Namespace) -> Plan:
    """The plan that these options ask for.

    Raises:
        InputError: one of them is out of range, or the file of --output cannot be written.
    """
    from tf_models.runtime import available_cores

    cores = available_cores()
    threads = cores if arguments.threads is None else arguments.threads
    if arguments.rounds < 1:
        raise InputError(f"--rounds must be at least 1; received {arguments.rounds}")
    if not 1 <= threads <= cores:
        raise InputError(f"--threads must be 1 to {cores}; received {threads}")
    check_seconds(arguments, "wait_seconds")
    if arguments.output not in (None, STANDARD_OUTPUT):
        check_writable(arguments.output)
    return Plan(arguments.rounds, threads, WaitBudget(arguments.wait_seconds), _progress_bar)


def check_seconds(arguments: argparse.Namespace, name: str) -> None:
    """Check an option that is a number of seconds.

    Raises:
        InputError: it is not 0 to `MAXIMUM_SECONDS`.
    """
    seconds = getattr(arguments, name)
    if not 0 <= seconds <= MAXIMUM_SECONDS:
        raise InputError(
            f"--{name.replace('_', '-')} must be 0 to {MAXIMUM_SECONDS} seconds; received {seconds}"
        )


def measure_and_publish(measure: Callable[[Path], dict], plan: Plan, json_file: str | None) -> None:
    """Measure, print the results, and write them to a file.

    Args:
        measure: given a temporary folder, returns the results of each part.
        plan: how it measures.
        json_file: to write the results to; "-" prints them instead of the text; None: no file.
    """
    from research.benchmarks.machine import describe_machine
    from research.benchmarks.report import report

    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        parts = measure(Path(folder))
    machine = describe_machine()
    results = {"machine": machine, "threads": plan.threads, "rounds": plan.rounds, **parts}
    text = json.dumps(results, indent=2)
    if json_file == STANDARD_OUTPUT:
        print(text)
        return
    print(report(results))
    if json_file:
        write_text(Path(json_file), text + "\n")


def log(line: str) -> None:
    """Print a line on standard error: standard output is for results."""
    print(line, file=sys.stderr)


def _progress_bar(items, title: str):
    from tqdm import tqdm

    return tqdm(items, desc=title, leave=False, disable=None)
