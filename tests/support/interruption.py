"""Ctrl-C at a chosen batch, and what must be the same when a run that met it has gone on."""

import signal


def interrupt_after(training, batches):
    """Ctrl-C while the given batch is trained on."""
    signal_after(training, batches, signal.SIGINT)


def signal_after(training, batches, number):
    """A signal while the given batch is trained on, or None; batches come one by one."""
    step, train_steps = training.loop.step, training.loop.step.train_steps
    training.loop._call_seconds = 0
    done = 0

    def counted(left, count):
        nonlocal done
        train_steps(left, count)
        done += count
        if done == batches and number:
            signal.raise_signal(number)

    step.train_steps = counted


def curve(training):
    """The rows of the history, timing apart."""
    rows = training.loop.history.rows
    return [{name: row[name] for name in row if "second" not in name} for row in rows]
