"""Which devices and machines train: TensorFlow's strategy for what this process finds.

Each worker is a process, with one replica of the model on each of its devices. Every replica has
its own part of each batch, and all of them apply the same sum of the gradients. Workers wait for
each other before TensorFlow starts: it would wait for an hour, in silence.
"""

import contextlib
import json
import os
import re
import socket
import sys
import time
from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from tf_models.errors import InputError
from tf_models.runtime import available_cores, use_cores_for_training
from tf_models.training.distributed.workers import lost_workers_end_it

TIMEOUT_SECONDS = 1800  # how long a worker waits for one that hangs; one that ended shows at once
ADDRESS = r"\S+:[0-9]{1,5}"
MAX_SHOWN = 1000  # characters of TF_CONFIG
WAIT_SECONDS = 180.0  # for workers that are started by hand, one after the other
TRY_SECONDS = 0.5
QUIET_SECONDS = 10.0  # before a line says who is missing


def make_strategy() -> tf.distribute.Strategy:
    """The strategy for all machines that TF_CONFIG names, or else for all GPUs of this one.

    With neither it is TensorFlow's default, one device. Make it before TensorFlow computes
    anything. Raises InputError: TF_CONFIG makes no sense, or a worker that it names does not come.
    """
    if cluster := os.environ.get("TF_CONFIG"):
        addresses, index = _read_cluster(cluster)
        if len(addresses) > 1:
            rendezvous(addresses, index)
            use_cores_for_training(available_cores())
            limit = tf.distribute.experimental.CommunicationOptions(timeout_seconds=TIMEOUT_SECONDS)
            with lost_workers_end_it():
                return tf.distribute.MultiWorkerMirroredStrategy(communication_options=limit)
        del os.environ["TF_CONFIG"]  # this machine alone; `MirroredStrategy` would read it, too
    if len(tf.config.list_physical_devices("GPU")) > 1:
        use_cores_for_training(available_cores())  # the strategy starts TensorFlow
        return tf.distribute.MirroredStrategy()
    return tf.distribute.get_strategy()


def _read_cluster(text: str) -> tuple[list[str], int]:
    """The workers' addresses in TF_CONFIG, and which one this is; refuse one that TensorFlow would
    stumble over, or wait with for ever."""
    try:
        config = json.loads(text)
        addresses = config["cluster"]["worker"]
        kind, index = config["task"]["type"], config["task"]["index"]
        right = kind == "worker" and set(config["cluster"]) == {"worker"}
        right = right and isinstance(addresses, list) and len(set(addresses)) == len(addresses)
        right = right and all(re.fullmatch(ADDRESS, one) for one in addresses)
        right = right and type(index) is int and 0 <= index < len(addresses)
    except (ValueError, KeyError, TypeError, RecursionError):
        right = False
    if not right:
        raise InputError(
            "to train on several machines, TF_CONFIG must be as in "
            '{"cluster": {"worker": ["host1:2222", "host2:2222"]}, '
            f'"task": {{"type": "worker", "index": 0}}}}; received {text[:MAX_SHOWN]!r}; '
            "unset it to train on this one (see docs/scale.md)"
        )
    return addresses, index


def rendezvous(addresses: Sequence[str], index: int, seconds: float = WAIT_SECONDS) -> None:
    """Wait until the other workers have started, too.

    Each one listens at its own address ("host:port"), which has this index among all, and looks for
    the others at theirs; those that have met all go on, and TensorFlow listens there in their
    place. Raises InputError: one did not come in so many seconds, or this one's port cannot be had.
    """
    missing = set(addresses) - {addresses[index]}
    port = int(addresses[index].rpartition(":")[2])
    start, said = time.monotonic(), False
    with _listening(port):
        while missing := {address for address in missing if not _answers(address)}:
            waited, names = time.monotonic() - start, ", ".join(sorted(missing))
            if waited > seconds:
                raise InputError(
                    f"no worker came at {names} within {seconds:g} seconds; start the same "
                    "command on all machines that TF_CONFIG names, or unset it to train on this one"
                )
            if waited > QUIET_SECONDS and not said:
                print(f"waiting for {names}, at most {seconds:g} seconds", file=sys.stderr)
                said = True
            time.sleep(TRY_SECONDS)
        time.sleep(2 * TRY_SECONDS)  # others may still be looking for this one


def _listening(port: int) -> contextlib.AbstractContextManager:
    """At this port of all of the machine's addresses."""
    options: dict[str, Any] = {}
    if socket.has_dualstack_ipv6():
        options = {"family": socket.AF_INET6, "dualstack_ipv6": True}
    try:
        return socket.create_server(("", port), backlog=128, **options)
    except (OSError, OverflowError) as error:
        raise InputError(f"cannot listen at port {port}, which TF_CONFIG says: {error}") from error


def _answers(address: str) -> bool:
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=2).close()
    except (OSError, OverflowError, UnicodeError):
        return False
    return True
