"""How long a step takes on one worker and on two, and what that means for more of them.

    python -m research.benchmarks.scaling

Each worker has a core of its own and the same number of tokens, so ideally a step lasts as long
with two as with one. What it lasts longer is the all-reduce of the gradients, and waiting for the
slower worker. For 8 and 64 workers the all-reduce is calculated, of a ring, over several networks.
"""

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from research.benchmarks.cores import keep_to_cores
from research.options import Parser, run
from tf_models.command_line import quiet_tensorflow

NETWORKS = {  # bytes a second, seconds until the first byte arrives
    "1 Gbit/s Ethernet": (0.11e9, 100e-6),
    "10 Gbit/s Ethernet": (1.1e9, 50e-6),
    "100 Gbit/s InfiniBand": (11e9, 5e-6),
    "NVLink within a machine": (200e9, 3e-6),
}
WORKERS = (1, 2, 8, 64)
MEASURE = "--measure"
EXAMPLES = "  python -m research.benchmarks.scaling --preset article --tokens 4096"


def ring_seconds(size: float, workers: int, bytes_a_second: float, latency: float) -> float:
    """Seconds of a ring all-reduce (Patarasuk & Yuan 2009): 2 (n - 1) steps of size / n bytes."""
    return 2 * (workers - 1) * (size / workers / bytes_a_second + latency)


def measure(preset_name: str, tokens: int, steps: int) -> dict[str, float]:
    """What one worker measures: seconds of a step and of an all-reduce alone, bytes of it."""
    keep_to_cores(_index(), 1)
    with quiet_tensorflow():
        import tensorflow as tf

        from tf_models.data.text.corpora import load_corpus
        from tf_models.tasks.translation.settings import preset
        from tf_models.tasks.translation.train import prepare_training
        from tf_models.training.distributed.strategies import make_strategy
        from tf_models.training.run_directory import RunDirectory
    strategy = make_strategy()
    replicas = strategy.num_replicas_in_sync
    settings = preset(preset_name, "transformer").changed(
        batch_size=0, batch_tokens=tokens * replicas, padded=False, epochs=1
    )
    corpus = load_corpus("everyday", max_pairs=20_000)
    run_directory = RunDirectory(Path(os.environ["SCALING_FOLDER"]) / str(replicas))
    training = prepare_training(
        run_directory, corpus, settings, 0, strategy=strategy, report=lambda line: None
    )
    loop, step = training.loop, training.step
    epoch = training.batches.epoch(0)
    batches = iter(loop.workers.distribute(epoch, repeats=True))
    gradients = [tf.zeros(weight.shape) for weight in training.model.network.trainable_weights]

    @tf.function
    def all_reduce():
        def of_replica():
            context = tf.distribute.get_replica_context()
            return context.all_reduce(tf.distribute.ReduceOp.SUM, gradients)

        strategy.run(of_replica)

    def seconds(work) -> float:
        work()  # traced
        found = []
        for _ in range(steps):
            loop.workers.wait()
            started = time.perf_counter()
            work()
            found.append(time.perf_counter() - started)
        return statistics.median(found)

    return {
        "step": seconds(lambda: step.train_steps(batches, 1)),
        "all_reduce": seconds(all_reduce),
        "bytes": float(sum(4 * tf.size(one).numpy() for one in gradients)),
    }


def _index() -> int:
    return json.loads(os.environ.get("TF_CONFIG", '{"task": {"index": 0}}'))["task"]["index"]


def measured(workers: int, arguments: argparse.Namespace, folder: str) -> dict[str, float]:
    """What the chief of so many workers measures."""
    addresses = [f"localhost:{port}" for port in _free_ports(workers)]
    started = []
    for index in range(workers):
        environment = {**os.environ, "SCALING_FOLDER": folder}
        if workers > 1:
            task = {"type": "worker", "index": index}
            environment["TF_CONFIG"] = json.dumps({"cluster": {"worker": addresses}, "task": task})
        command = [sys.executable, "-m", "research.benchmarks.scaling", MEASURE]
        command += ["--preset", arguments.preset, "--tokens", str(arguments.tokens)]
        command += ["--steps", str(arguments.steps)]
        started.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE))
    outputs = [worker.communicate()[0] for worker in started]
    return json.loads(outputs[0].splitlines()[-1])


def _free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("localhost", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def report(one: dict[str, float], two: dict[str, float]) -> None:
    """What was measured, and what follows for more workers."""
    print(f"gradients: {two['bytes'] / 1e6:.1f} MB")
    print(f"a step, one worker:  {1e3 * one['step']:7.1f} ms")
    print(f"a step, two workers: {1e3 * two['step']:7.1f} ms (each with as many tokens)")
    print(f"an all-reduce alone: {1e3 * two['all_reduce']:7.1f} ms")
    more = max(0.0, two["step"] - one["step"])
    print(f"efficiency {one['step'] / two['step']:.0%}; {more / two['step']:.0%} of a step is new")
    print(
        f"\n{'calculated: all-reduce, share of it':36}" + "".join(f"{n:>16}" for n in WORKERS[1:])
    )
    for name, network in NETWORKS.items():
        cells = []
        for workers in WORKERS[1:]:
            seconds = ring_seconds(two["bytes"], workers, *network)
            share = seconds / (one["step"] + seconds)
            cells.append(f"{1e3 * seconds:8.1f} ms {share:4.0%}")
        print(f"{name:36}" + "".join(f"{cell:>16}" for cell in cells))


def make_parser() -> Parser:
    parser = Parser(
        __doc__, "  python -m research.benchmarks.scaling --preset article --tokens 4096"
    )
    parser.add_argument("--preset", default="best", help="of the translator")
    parser.add_argument("--tokens", type=int, default=2048, help="of each worker, in a step")
    parser.add_argument("--steps", type=int, default=20, help="that are measured")
    parser.add_argument(MEASURE, action="store_true", help=argparse.SUPPRESS)
    return parser


def main(arguments: argparse.Namespace) -> None:
    if arguments.measure:
        print(json.dumps(measure(arguments.preset, arguments.tokens, arguments.steps)))
        return
    with tempfile.TemporaryDirectory() as folder:
        report(*(measured(workers, arguments, folder) for workers in WORKERS[:2]))


if __name__ == "__main__":
    run(make_parser(), main)
