"""Kill one of several workers at random moments, start all again, and compare the ends.

    python -m tests.worker_kills --workers 4 --kills 3

The others must end by themselves, with one line. In the end weights, optimizer and the curve must
be those of workers whom nothing disturbed, to the bit.
"""

import argparse
import random
import signal
import tempfile
import time
from pathlib import Path

from tests.random_kills import COMMANDS, command, state, write_corpora
from tests.support.loopback import end_of, run_workers, start_workers

SECONDS = 600  # after which a worker counts as hanging
LINE = "another worker has ended"


def kill_one(arguments: list[str], workers: int, moments: random.Random) -> bool:
    """Start workers and kill one; return False if they were done before.

    Raises:
        AssertionError: another one ended in another way.
    """
    started = start_workers(workers, arguments)
    for line in started[0].stdout:  # the training itself, not the seconds of the start
        if line.startswith(("model:", "epoch ")):
            break
    time.sleep(moments.expovariate(0.5))
    killed = moments.choice(started)
    killed.send_signal(signal.SIGKILL)
    ends = end_of(started, SECONDS)
    if all(end.status in (0, -signal.SIGKILL) for end in ends):
        return False
    for worker, end in zip(started, ends, strict=True):
        assert worker is killed or (end.status == 2 and LINE in end.output), end
    return True


def survives(name: str, workers: int, kills: int, moments: random.Random, folder: Path) -> int:
    """Compare killed workers with undisturbed ones; return how often one was killed.

    Raises:
        AssertionError: their ends differ.
    """
    data, count = write_corpora(folder)[name], 0
    killed, whole = folder / "killed", folder / "whole"

    def arguments(run_dir: Path) -> list[str]:
        return command(name, data, run_dir)[1:]

    while count < kills and kill_one(arguments(killed), workers, moments):
        count += 1
    for run_dir in (killed, whole):
        ends = run_workers(workers, arguments(run_dir), SECONDS)
        assert all(end.status == 0 for end in ends), ends
    assert state(killed) == state(whole), f"{name}: another end"
    return count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kills", type=int, default=3, help="of each command")
    parser.add_argument("--seed", type=int, default=0, help="of the moments")
    arguments = parser.parse_args()
    moments = random.Random(arguments.seed)
    for name in COMMANDS:
        with tempfile.TemporaryDirectory() as folder:
            count = survives(name, arguments.workers, arguments.kills, moments, Path(folder))
        print(f"{name}, {arguments.workers} workers: killed {count} times, same end", flush=True)


if __name__ == "__main__":
    main()
