"""Time a training's start: from the command line to the end of its first step."""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from research.options import Parser, run
from tf_models.errors import InputError

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = """\
  python -m research.benchmarks.first_step
      of the default
  python -m research.benchmarks.first_step --rounds 5 -- --corpus deu.txt --preset article
      of another training"""
# The script itself, which ends at its first step.
CHILD = """
import os, runpy, sys
from tf_models.command_line import quiet_tensorflow
with quiet_tensorflow():
    from tf_models.training.train_step import TrainStep
train_steps = TrainStep.train_steps
def first_steps(self, batches, count):
    assert count == 1
    train_steps(self, batches, count)
    os._exit(0)
TrainStep.train_steps = first_steps
sys.argv[0] = "scripts/train_translator.py"
runpy.run_path(sys.argv[0], run_name="__main__")
os._exit(1)
"""


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="default: 3")
    parser.add_argument("options", nargs="*", metavar="OPTION", help="of train_translator.py")
    return parser


def main(arguments: argparse.Namespace) -> None:
    if arguments.rounds < 1:
        raise InputError(f"--rounds must be at least 1; received {arguments.rounds}")
    rounds = [time_start(arguments.options) for _ in range(arguments.rounds)]
    for seconds, of_processor in rounds:
        print(f"{seconds:.1f} s, of the processor {of_processor:.1f} s", flush=True)
    print(f"median {median(seconds for seconds, _ in rounds):.1f} s")


def time_start(options: list[str]) -> tuple[float, float]:
    """Seconds from the command line to the end of the first step, by the clock and of processors.

    Raises:
        InputError: the training took no step.
    """
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", CHILD, *options, "--run-dir", f"{folder}/run"]
        before, started = _of_processors(), time.perf_counter()
        done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
        seconds, of_processors = time.perf_counter() - started, _of_processors() - before
    if done.returncode:
        raise InputError(f"the training took no step: {done.stderr.strip()}")
    return seconds, of_processors


def _of_processors() -> float:
    used = os.times()
    return used.children_user + used.children_system


if __name__ == "__main__":
    run(make_parser(), main)
