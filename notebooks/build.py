"""Make the notebooks NN_name.ipynb from their sources NN_name.py, by running them.

The sources are Python files in jupytext's percent format; people edit these. The notebooks beside
them hold the same cells with outputs, for reading on a web page. All have the same first cell.
"""

import argparse
import hashlib
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError
from traitlets.config import Config

from tf_models.files import write_text

FOLDER = Path(__file__).resolve().parent
SETUP = """# %%
# %pip install -q -f . "tf-models>=2.0.dev0" || pip install -q ..
from tf_models.backend import keras, tf
"""
FIRST_CELL = re.compile(r"^# %%\n.*?\n(?=\n+# %%)", re.MULTILINE | re.DOTALL)
ANSWER = re.compile(r"^<details>.*?^</details>$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LIMIT = 60  # seconds on two cores, with the start of the kernel
# Trainings and many maps.
LIMITS = {"05": 240, "06": 120, "07": 170, "08": 120, "10": 90, "11": 110, "12": 120}
FAILURES = CellExecutionError, CellTimeoutError, ChildProcessError, subprocess.TimeoutExpired
SLOWEST = 2  # times the limit that a check allows: machines differ by so much
STARTUP = 300  # seconds that a kernel may take to start on a busy machine
WITHOUT_IPYTHON = """
import runpy, sys
sys.modules["IPython"] = None  # an import of it fails
sys.argv = sys.argv[1:]
import tf_models
print(tf_models.__file__)
runpy.run_path(sys.argv[0], run_name="__main__")
"""
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
EXAMPLES = """examples:
  python notebooks/build.py            run all notebooks and store their outputs
  python notebooks/build.py 02 07      these two
  python notebooks/build.py --check --jobs 2   store nothing, run two at a time;
                                               fail at an error, or a very late one
  python notebooks/build.py --script --jobs 2  the same as plain scripts, without IPython
"""


def sources(numbers: list[str]) -> list[Path]:
    """The sources of the given numbers, all if there are none.

    Raises:
        ValueError: there is no notebook of a number.
    """
    found = {path.name[:2]: path for path in sorted(FOLDER.glob("[0-9][0-9]_*.py"))}
    unknown = [number for number in numbers if number not in found]
    if unknown:
        raise ValueError(f"there are notebooks {', '.join(found)}; received {', '.join(unknown)}")
    return [found[number] for number in numbers or found]


def with_setup(source: str) -> str:
    """The text of a source, with `SETUP` for its first cell of code."""
    return FIRST_CELL.sub(lambda _: SETUP, source, count=1)


def answers(notebook: nbformat.NotebookNode) -> list[str]:
    """The code of each answer that is folded away in a cell of text."""
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    return [
        code for text in texts for answer in ANSWER.findall(text) for code in CODE.findall(answer)
    ]


def digest(source: Path) -> str:
    """What changes with each change of a source."""
    return hashlib.sha256(source.read_bytes()).hexdigest()


def read(source: Path) -> nbformat.NotebookNode:
    """The cells of a source, without outputs; only their tags are kept as metadata."""
    notebook = jupytext.reads(source.read_text(encoding="utf-8"), fmt="py:percent")
    for number, cell in enumerate(notebook.cells):
        tags = cell.metadata.get("tags")
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
        cell.id = f"cell-{number}"
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL, "source": digest(source)})
    return notebook


def run(notebook: nbformat.NotebookNode, limit: float | None) -> None:
    """Execute all cells in a fresh kernel, in a folder of its own beside nothing; then the answers.

    Raises:
        CellExecutionError: a cell fails.
        CellTimeoutError: a cell takes longer than `limit` seconds, if there is a limit.
    """
    shown = len(notebook.cells)
    notebook.cells += [nbformat.v4.new_code_cell(code) for code in answers(notebook)]
    with tempfile.TemporaryDirectory() as folder:
        where = {"metadata": {"path": folder}}
        options = {"timeout": limit, "startup_timeout": STARTUP, "record_timing": False}
        NotebookClient(notebook, resources=where, config=sockets(folder), **options).execute()
    del notebook.cells[shown:]
    del notebook.metadata["language_info"]  # it names the version of Python


def run_script(source: Path, limit: float) -> None:
    """Run a source and its answers as a plain script without IPython, in a folder of its own.

    Raises:
        ChildProcessError: it fails.
        TimeoutExpired: it takes longer than `limit` seconds.
    """
    code = "\n\n".join([source.read_text(encoding="utf-8"), *answers(read(source))])
    command = [sys.executable, "-", source.name]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, source.name).write_text(code, encoding="utf-8")
        pipes = {"input": WITHOUT_IPYTHON, "capture_output": True, "encoding": "utf-8"}
        done = subprocess.run(command, cwd=folder, timeout=limit, check=False, **pipes)
    if done.returncode:
        raise ChildProcessError(done.stderr)


def sockets(folder: str) -> Config:
    """Reach the kernel through files of a folder, where that is possible: no port for others."""
    if not hasattr(socket, "AF_UNIX"):
        return Config()
    return Config({"KernelManager": {"transport": "ipc", "ip": f"{folder}/kernel"}})


def store(notebook: nbformat.NotebookNode, path: Path) -> None:
    """Write a notebook as a whole or not at all."""
    text = json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True)
    write_text(path, text + "\n")


def build(source: Path) -> None:
    """Run a notebook and store it."""
    write_text(source, with_setup(source.read_text(encoding="utf-8")))
    notebook = read(source)
    run(notebook, None)  # a busy machine may take longer
    first = next(cell for cell in notebook.cells if cell.cell_type == "code")
    first.outputs = []  # `%pip` always says that a kernel may have to start again
    store(notebook, source.with_suffix(".ipynb"))


def check(source: Path, limit: float) -> None:
    """Run a notebook in a kernel."""
    run(read(source), limit)


def timed(source: Path, how: Callable[..., None], jobs: int) -> bool:
    """Whether a notebook runs, and in time unless it is stored; print how it went.

    how: `build`, or else `check` or `run_script`, which have a limit.
    jobs: how many run at a time; each may take so many times as long.
    """
    limit = jobs * LIMITS.get(source.name[:2], LIMIT)
    most = [] if how is build else [SLOWEST * limit]
    start = time.monotonic()
    try:
        how(source, *most)
    except FAILURES as error:
        print(f"{source.name}: {error}", file=sys.stderr)
        return False
    seconds = time.monotonic() - start
    late = seconds > limit
    print(f"{source.name}: {seconds:.0f} s of {limit}{' (too long)' * late}", flush=True)
    return how is build or seconds <= SLOWEST * limit


def share_cores(jobs: int, number: Iterator[int]) -> None:
    """Give this thread its share of the cores, and the kernels that it starts with it.

    Threads of several kernels on the same cores would wait for each other.
    """
    if hasattr(os, "sched_setaffinity"):  # Linux
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, set(cores[next(number) % len(cores) :: jobs]))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("numbers", nargs="*", metavar="NN", help="of the notebooks; default: all")
    ways = parser.add_mutually_exclusive_group()
    for name, how, where in (("check", check, "a kernel"), ("script", run_script, "plain Python")):
        words = f"store nothing: run in {where}, fail at {SLOWEST} times a limit"
        ways.add_argument(f"--{name}", dest="how", action="store_const", const=how, help=words)
    parser.add_argument(
        "--jobs", type=int, default=1, choices=(1, 2, 4), help="how many at a time; default: 1"
    )
    arguments = parser.parse_args()
    try:
        chosen = sources(arguments.numbers)
    except ValueError as error:
        parser.error(str(error))
    jobs = arguments.jobs
    if jobs > 1:  # the longest first: as the last one it would run alone
        chosen.sort(key=lambda source: -LIMITS.get(source.name[:2], LIMIT))
    one = partial(timed, how=arguments.how or build, jobs=jobs)
    with ThreadPoolExecutor(jobs, "", share_cores, (jobs, count())) as pool:
        done = list(pool.map(one, chosen))
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main())
