"""Workers wait for each other before TensorFlow starts: it would wait for an hour, in silence."""

import contextlib
import socket
import sys
import time
from collections.abc import Sequence

from tf_models.errors import InputError

WAIT_SECONDS = 180.0  # for workers that are started by hand, one after the other
TRY_SECONDS = 0.5
QUIET_SECONDS = 10.0  # before a line says who is missing


def rendezvous(addresses: Sequence[str], index: int, seconds: float = WAIT_SECONDS) -> None:
    """Wait until the other workers have started, too.

    Each one listens at its own address and looks for the others at theirs; those that have met all
    go on, and TensorFlow listens there in their place.

    Args:
        addresses: of all workers, "host:port".
        index: of this one.
        seconds: at most.

    Raises:
        InputError: one did not come in time, or this one's port cannot be had.
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
    options = {}
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
