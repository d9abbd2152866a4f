"""One worker that trains the tiny translator.

    python -m tests.support.tiny_worker RUN_DIR [SIGNAL …]

SIGNAL WORKER BATCH sends the signal to itself, on that worker, while that batch is trained on.
"""

import signal
from pathlib import Path

from tests.support import language
from tests.support.tiny import TINY
from tf_models.command_line import INTERRUPTED, Parser, quiet_tensorflow, run

# No dropout, whose noise differs between replicas; and batches that do not divide.
SETTINGS = TINY.changed(dropout=0.0, batch_size=15)


def train(path: Path, *stop: str) -> bool:
    """Whether the training came to its end."""
    with quiet_tensorflow():
        from tests.support.interruption import signal_after
        from tf_models.tasks.translation.train import prepare_training
        from tf_models.training.distributed.strategies import make_strategy
        from tf_models.training.distributed.workers import Workers
        from tf_models.training.run_directory import RunDirectory
    chosen = make_strategy()
    training = prepare_training(RunDirectory(path), language.corpus(), SETTINGS, 0, strategy=chosen)
    if stop:
        number, worker, batch = stop
        here = Workers(chosen).is_chief == (worker == "0")
        signal_after(training, int(batch), getattr(signal, number) if here else None)
    return training.loop.fit(SETTINGS.training.epochs)


def main(arguments) -> int:
    finished = train(arguments.run_dir, *arguments.stop)
    return 0 if finished else INTERRUPTED


if __name__ == "__main__":
    parser = Parser(__doc__, "")
    parser.add_argument("run_dir", type=Path)
    parser.add_argument("stop", nargs="*")
    run(parser, main)
