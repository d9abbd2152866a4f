"""Workers on one machine, as TF_CONFIG names them on several."""

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]


class Ended(NamedTuple):
    """How a worker ended: its exit status, and what it printed."""

    status: int
    output: str


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens at now."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("localhost", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def start_workers(count: int, command: list) -> list[subprocess.Popen]:
    """The same Python command `count` times, each with its TF_CONFIG."""
    addresses = [f"localhost:{port}" for port in free_ports(count)]
    started = []
    for index in range(count):
        task = {"type": "worker", "index": index}
        environment = {
            **os.environ,
            "TF_CONFIG": json.dumps({"cluster": {"worker": addresses}, "task": task}),
            "PYTHONPATH": str(ROOT),
        }
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        started.append(subprocess.Popen([sys.executable, *command], env=environment, **pipes))
    return started


def end_of(workers: list[subprocess.Popen], seconds: float) -> list[Ended]:
    """Wait for all of them.

    Raises:
        subprocess.TimeoutExpired: one does not end; all are killed then.
    """
    latest = time.monotonic() + seconds
    try:
        return [
            Ended(worker.wait(latest - time.monotonic()), worker.stdout.read())
            for worker in workers
        ]
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()


def run_workers(count: int, command: list, seconds: float) -> list[Ended]:
    """Start workers and wait for all of them."""
    return end_of(start_workers(count, command), seconds)
