"""One worker that trains the tiny translator, or an autoencoder that is traced in no time.

    python -m tests.support.tiny_worker RUN_DIR translator|autoencoder|timed [SIGNAL …]

"timed" is the autoencoder with a limit of time in place of epochs.
SIGNAL WORKER BATCH sends the signal to itself, on that worker, while that batch is trained on.
"""

import signal
from pathlib import Path

from tests.support import language
from tests.support.images import noise
from tests.support.tiny import TINY
from tf_models.command_line import INTERRUPTED, Parser, quiet_tensorflow, run
from tf_models.tasks.autoencoding.settings import preset

EPOCHS = 3
BATCHES = 6  # in an epoch
MINUTES = 0.1


def prepare(path: Path, kind: str, strategy=None):
    """Of either model: no noise, which differs between replicas; and batches that do not divide."""
    from tf_models.tasks.autoencoding.train import prepare_image_training
    from tf_models.tasks.translation.train import prepare_training
    from tf_models.training.run_directory import RunDirectory

    run, options = RunDirectory(path), {"strategy": strategy, "report": lambda line: None}
    if kind == "translator":
        settings = TINY.changed(dropout=0.0, batch_size=15, epochs=EPOCHS)
        return prepare_training(run, language.corpus(), settings, 0, **options)
    if kind == "timed":
        options["minutes"] = MINUTES
    settings = preset("dense").changed(code_size=2, units=(), batch_size=15, epochs=EPOCHS)
    return prepare_image_training(run, noise(15 * BATCHES - 2), settings, 0, **options)


def train(path: Path, kind: str, *stop: str) -> bool:
    """Whether the training came to its end."""
    with quiet_tensorflow():
        from tests.support.interruption import signal_after
        from tf_models.training.distributed.strategies import make_strategy
        from tf_models.training.distributed.workers import Workers
    chosen = make_strategy()
    training = prepare(path, kind, chosen)
    if stop:
        number, worker, batch = stop
        here = Workers(chosen).is_chief == (worker == "0")
        signal_after(training, int(batch), getattr(signal, number) if here else None)
    return training.loop.fit(EPOCHS)


def main(arguments) -> int:
    finished = train(arguments.run_dir, arguments.kind, *arguments.stop)
    return 0 if finished else INTERRUPTED


if __name__ == "__main__":
    parser = Parser(__doc__, "")
    parser.add_argument("run_dir", type=Path)
    parser.add_argument("kind")
    parser.add_argument("stop", nargs="*")
    run(parser, main)
