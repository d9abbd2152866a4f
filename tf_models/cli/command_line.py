"""Shared by commands: options (tyro), one-line errors, a quiet TensorFlow."""

import contextlib
import gc
import logging
import math
import os
import sys
import traceback
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeVar, cast

import tyro
from filelock import Timeout
from pydantic import Field

from tf_models.errors import InputError, TrainingInterrupted
from tf_models.quiet import quiet_start
from tf_models.training.run_directory import RunDirectory
from tf_models.training.settings import FittedSettings, Seed, Settings, SizeDependent

INTERRUPTED = 130  # 128 + SIGINT, as shells have it
TRACEBACK = "TF_MODELS_TRACEBACK"  # environment variable; 1 shows where an error comes from
HINT = f" ({TRACEBACK}=1 shows where)"
TRACEBACK_HELP = f"{TRACEBACK}=1 in the environment shows the whole traceback of an error."
PLAIN = (tyro.conf.OmitArgPrefixes, tyro.conf.DisallowNone)

Arguments = TypeVar("Arguments")


def parse(
    arguments: type[Arguments], default: Arguments | None = None, details: str = ""
) -> Arguments:
    """Parse the command line: an option for each field, nested ones included.

    --help begins with the docstring of the module of the class `arguments`, and `details` follow.
    Invalid arguments end the program with status 2.
    """
    description = f"{sys.modules[arguments.__module__].__doc__}{details}\n{TRACEBACK_HELP}"
    options: dict[str, Any] = {} if default is None else {"default": default}
    parsed = tyro.cli(arguments, description=description, config=PLAIN, **options)
    run_dir = getattr(parsed, "run_dir", None)
    if isinstance(run_dir, Path) and not isinstance(parsed, RunArguments):
        RunDirectory(run_dir).read_config()  # refused before TensorFlow starts
    return parsed


def parse_known(arguments: type[Arguments]) -> Arguments:
    """Parse the arguments of this class; ignore all others."""
    return tyro.cli(arguments, config=PLAIN, add_help=False, return_unknown_args=True)[0]


def parse_training(arguments: type[Arguments], settings: FittedSettings) -> Arguments:
    """Parse a training's command line; what it sets is fixed."""
    fixed = parse_known(SizeDependent).model_dump(exclude_none=True)
    options: dict[str, Any] = {"settings": settings.changed(fixed=frozenset(fixed))}
    return parse(arguments, arguments(**options))


def passed(
    arguments: Settings, always_allowed: set[str], allowed: Collection[str], user: str
) -> dict:
    """Options changed from default, but for those that are always allowed.

    Raises an InputError, which names the `user` of the options, if one is not `allowed`.
    """
    values = arguments.model_dump(exclude_defaults=True, exclude=always_allowed)
    for name in values.keys() - set(allowed):
        raise InputError(f"{user} has no --{name.replace('_', '-')}")
    return values


def forbid(arguments: Settings, names: Collection[str], user: str) -> None:
    """Raise an InputError if one of these options, None by default, is given."""
    for name in sorted(names):
        if getattr(arguments, name) is not None:
            raise InputError(f"{user} has no --{name.replace('_', '-')}")


def run(main: Callable[[], int | None]) -> NoReturn:
    """Run a command and exit with its status; print an error as one line.

    With `TRACEBACK` in the environment, its traceback stands above the line.
    """
    _use_utf8()
    os.environ["MPLBACKEND"] = "agg"  # figures are files, whatever the environment says
    # A batch or a shard on each core is faster than an operation on all (see `training.devices`).
    os.environ.setdefault("TF_NUM_INTRAOP_THREADS", "1")
    status: int | None = 1
    try:
        status = main()
        print(end="", flush=True)
    except BrokenPipeError:  # the reader of standard output has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except TrainingInterrupted as error:
        print(error)
        status = INTERRUPTED
    except KeyboardInterrupt:
        _complain("interrupted")
        status = INTERRUPTED
    except Timeout as error:
        folder = Path(error.lock_file).parent
        _complain(f"another process trains in {folder}; wait for it, or choose another --run-dir")
    except (InputError, OSError, UnicodeError) as error:
        _complain(str(error))
    except Exception as error:
        if isinstance(error, MemoryError) or "OOM when" in str(error):
            _complain(f"not enough memory; make the model or its batches smaller: {error}", HINT)
        elif type(error).__module__.startswith("tensorflow."):  # as a full disk
            _complain(f"TensorFlow: {str(error).splitlines()[0]}", HINT)
        else:
            raise
    sys.exit(status)


def _complain(message: str, hint: str = "") -> None:
    if os.environ.get(TRACEBACK, "0") != "0":
        traceback.print_exc()
    line = " ".join(f"{message}{hint}".splitlines())
    print(f"{os.path.basename(sys.argv[0])}: {line}", file=sys.stderr)


def _use_utf8() -> None:
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)


@contextlib.contextmanager
def quiet_tensorflow() -> Iterator[None]:
    """Keep TensorFlow's start-up messages off the screen within this block.

    Warnings of its Python part are for programmers: a second model that is trained in one process
    is traced anew.
    """
    # A GPU's memory is taken as it is needed: one may translate while another run trains.
    os.environ.setdefault("TF_FORCE_GPU_ALLOW_GROWTH", "true")
    logging.getLogger("tensorflow").setLevel(logging.ERROR)
    gc.set_threshold(20_000, 20, 50)  # saves 2.5 of 17 CPU seconds before a first training step
    if "tensorflow" not in sys.modules:
        print("starting TensorFlow", file=sys.stderr)
    with quiet_start():
        with _hidden("sklearn", "matplotlib.pyplot"):
            import tensorflow  # noqa: F401
        yield


@contextlib.contextmanager
def _hidden(*packages: str) -> Iterator[None]:
    """Make imports of these packages fail; saves 1.5 of 5.3 CPU seconds.

    Keras imports them for its wrappers and its image gallery, and does without where it fails.
    """
    absent = [name for name in packages if name not in sys.modules]
    sys.modules.update(cast(Any, dict.fromkeys(absent)))  # None: not to be imported
    try:
        yield
    finally:
        for name in absent:
            del sys.modules[name]


class RunArguments(Settings):
    """Arguments of every training."""

    run_dir: Path | None = None
    """Run directory; if left out, runs/ and a name of data and model. Ctrl-C saves, and the same
    command resumes."""
    minutes: Annotated[float, Field(gt=0, allow_inf_nan=True)] = math.inf
    """End after so many minutes of training and validation in all, in place of --epochs."""
    seed: Seed = 0
    """Seed of weights, noise and order."""

    def run_in(self, name: str) -> Path:
        """Run directory of the training; by default this folder of runs/."""
        return self.run_dir or Path("runs") / name


class ImageArguments(RunArguments):
    """Images to train on."""

    dataset: str | None = None
    """digits, mnist, fashion_mnist, an .npz file as Keras has it, or a folder of images; if left
    out, digits."""
    image_size: Annotated[str, Field(pattern=r"^[1-9]\d{0,3}(x[1-9]\d{0,3})?$")] | None = None
    """N or HxW in pixels: images of a folder are scaled until they just cover it, and cropped to
    their middle; if left out, they stay as they are, all of one size."""
    data_dir: Path | None = None
    """Folder of downloads and TFDS data sets."""

    @property
    def images(self) -> str:
        """The data set that was named, or the embedded one."""
        return self.dataset or "digits"

    @property
    def height_and_width(self) -> tuple[int, int] | None:
        """Size that images of a folder are brought to."""
        if self.image_size is None:
            return None
        sides = [int(side) for side in self.image_size.split("x")]
        return sides[0], sides[-1]


class AttentionArguments(Settings):
    """Arguments of a figure of attention."""

    layer: str | None = None
    """Layer, 1 to the last, or all; if left out, the last, for a classifier of texts all."""
    query: str | None = None
    """Word whose row is drawn; for a classifier of texts, first or mean."""
    words: bool = False
    """Merge subwords into words."""
    without_marks: bool = False
    """Leave out <start>, <end> and punctuation; scale the rest of each row to a sum of one."""
