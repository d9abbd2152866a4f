"""What preparing a corpus of millions of pairs and training on it take: time and memory.

The corpus is made of the embedded one: two to four of its sentences in a line.
"""

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import psutil
from tqdm import tqdm

from research.options import Parser, run
from tf_models.data.text.corpora import load_corpus
from tf_models.training.run_directory import History

ROOT = Path(__file__).resolve().parents[2]
POOL = 100_000  # embedded pairs that the lines are made of
SENTENCES = (2, 4)  # in a line, at least and at most
SAMPLE_SECONDS = 0.5
# Windows has no signal for one process: it needs a group of its own, and then gets Ctrl-Break.
INTERRUPT = getattr(signal, "CTRL_BREAK_EVENT", signal.SIGINT)
GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
STEPS_SECONDS = 60  # of training on all pairs
EXAMPLES = """\
  python -m research.benchmarks.large_corpus
      4.5 million pairs, as many as WMT14 has; half an hour to an hour, 4 GB of disk
  python -m research.benchmarks.large_corpus --pairs 200000 --compared 20000"""


class Cost(NamedTuple):
    """Of a process and its children: wall and processor seconds, and resident bytes at most."""

    seconds: float
    cpu_seconds: float
    resident: int


def lines(count: int, pool: int = POOL) -> Iterator[tuple[str, str]]:
    """Pairs of some sentences of `pool` embedded ones, hardly any pair twice."""
    sentences, choose = load_corpus("everyday", max_pairs=pool).train, random.Random(0)
    for _ in range(count):
        chosen = choose.choices(sentences, k=choose.randint(*SENTENCES))
        yield " ".join(pair.source for pair in chosen), " ".join(pair.target for pair in chosen)


def write_corpus(folder: Path, count: int, pool: int = POOL) -> str:
    """Write two aligned files; return what --corpus is told."""
    folder.mkdir()
    paths = [folder / f"train.{language}" for language in ("en", "de")]
    with (
        paths[0].open("w", encoding="utf-8") as english,
        paths[1].open("w", encoding="utf-8") as german,
    ):
        for source, target in tqdm(
            lines(count, pool), "writing", count, unit_scale=True, disable=None
        ):
            english.write(source + "\n")
            german.write(target + "\n")
    return ",".join(map(str, paths))


def cost_of(
    script: str, *options: str, after: Callable[[str], bool] | None = None, more: float = 0.0
) -> tuple[Cost, float | None]:
    """What a script takes.

    Args:
        script: name of the file in scripts/.
        options: of it.
        after: recognises the line after which it gets Ctrl-C, `more` seconds later.
        more: seconds.

    Returns:
        the cost, and the seconds until that line.
    """
    command = [sys.executable, ROOT / "scripts" / script, *options]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "encoding": "utf-8"}
    started = time.perf_counter()
    child = subprocess.Popen(command, cwd=ROOT, creationflags=GROUP, **pipes)
    found: list[int] = []
    watching = threading.Thread(target=_watch, args=(child, found))
    watching.start()
    until = None
    for line in child.stdout:
        print(f"  {line.rstrip()}")
        if after and until is None and after(line):
            until = time.perf_counter() - started
            threading.Timer(more, child.send_signal, (INTERRUPT,)).start()
    status = child.wait()
    watching.join()
    if status not in ((0,) if after is None else (0, 130)):
        raise SystemExit(f"{script} ended with status {status}")
    resident, cpu_seconds = found
    return Cost(time.perf_counter() - started, cpu_seconds, resident), until


def _watch(child: subprocess.Popen, found: list[int]) -> None:
    """The most resident bytes of a process and its children at one time, and processor seconds."""
    resident, cpu = 0, {}
    process = psutil.Process(child.pid)
    while child.poll() is None:
        at_once = 0
        try:
            for one in (process, *process.children(recursive=True)):
                at_once += one.memory_info().rss
                times = one.cpu_times()
                cpu[one.pid] = times.user + times.system
        except psutil.NoSuchProcess:  # it has just ended
            continue
        resident = max(resident, at_once)
        time.sleep(SAMPLE_SECONDS)
    found += [resident, sum(cpu.values())]


def tokens_per_second(corpus: str, run_dir: Path, preset: str) -> float:
    """Speed of an epoch of training."""
    options = ("--corpus", corpus, "--preset", preset, "--epochs", "1", "--run-dir", str(run_dir))
    cost_of("train_translator.py", *options)
    return History(run_dir / "history.csv").columns()["tokens_per_second"][0]


def show(name: str, cost: Cost) -> None:
    """A row."""
    print(
        f"{name}: {cost.seconds / 60:.1f} min, {cost.cpu_seconds / 60:.1f} CPU min, "
        f"{cost.resident / 2**30:.2f} GiB resident at most"
    )


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("--pairs", type=int, default=4_500_000, metavar="N")
    parser.add_argument("--preset", default="best", help="default: %(default)s")
    parser.add_argument(
        "--compared",
        type=int,
        default=30_000,
        metavar="N",
        help="pairs of which an epoch is trained on from memory and from the disk; 0: none",
    )
    parser.add_argument("--folder", type=Path, help="to work in; default: a temporary one")
    return parser


def main(arguments: argparse.Namespace) -> None:
    # Under nohup, or behind "&" in a script, Ctrl-C is ignored, and so it would be by the children.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        folder = Path(name).resolve()  # the scripts run elsewhere
        measure_all(folder, arguments.pairs, arguments.preset)
        if arguments.compared:
            compare_speeds(folder, arguments.compared, arguments.preset)


def measure_all(folder: Path, pairs: int, preset: str) -> None:
    """Prepare, then train for a while, and once more from where that stopped."""
    corpus, prepared = write_corpus(folder / "all", pairs), str(folder / "prepared")
    options = ("--preset", preset)
    cost, _ = cost_of("prepare_corpus.py", "--corpus", corpus, "--output", prepared, *options)
    show(f"preparing {pairs:,} pairs", cost)
    options += ("--corpus", prepared, "--run-dir", str(folder / "run"))
    for start in ("first", "second"):
        cost, until = cost_of(
            "train_translator.py",
            *options,
            after=lambda line: line.startswith("model:"),
            more=STEPS_SECONDS,
        )
        show(f"{start} start: {until:.1f} s until the model stands; with the steps", cost)


def compare_speeds(folder: Path, pairs: int, preset: str) -> None:
    """An epoch from memory, and the same from the disk."""
    corpus, prepared = write_corpus(folder / "some", pairs), str(folder / "prepared-some")
    cost_of("prepare_corpus.py", "--corpus", corpus, "--output", prepared, "--preset", preset)
    memory = tokens_per_second(corpus, folder / "memory", preset)
    disk = tokens_per_second(prepared, folder / "disk", preset)
    print(f"{memory:,.0f} tokens/s from memory, {disk:,.0f} from the disk: {disk / memory:.3f}")


if __name__ == "__main__":
    run(make_parser(), main)
