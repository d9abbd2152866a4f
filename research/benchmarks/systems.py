"""What all measured systems share, and which of them can be measured here."""

import contextlib
import importlib.util
import time
from collections.abc import Callable, Iterator, Sequence

TRAINING_SYSTEMS = (
    *("tutorial", "tf-models-float32", "tf-models-bfloat16"),
    *("pytorch-float32", "pytorch-bfloat16"),
    *("pytorch-compiled-float32", "pytorch-compiled-bfloat16"),
)
DECODING_SYSTEMS = ("tutorial", "tf-models", "ctranslate2")
TRANSLATOR_SYSTEMS = tuple(dict.fromkeys((*TRAINING_SYSTEMS, *DECODING_SYSTEMS)))
VAE_SYSTEMS = ("tf-models", "pytorch", "pytorch-compiled")
PACKAGES = {
    **{name: ("torch",) for name in (*TRAINING_SYSTEMS, *VAE_SYSTEMS) if "pytorch" in name},
    "ctranslate2": ("ctranslate2", "torch"),  # the latter for the export
}
SEED = 0  # of weights, dropout and order


class System:
    """One system, made and measured in a process of its own.

    A subclass imports its libraries only when it is made, measures the parts of its start-up with
    `timed`, and has a method `round` that measures it once.
    """

    def __init__(self):
        self.start_up_seconds: dict[str, float] = {}  # by part
        self.note = ""  # for the reader of the results

    @contextlib.contextmanager
    def timed(self, part: str) -> Iterator[None]:
        """Note how long a part of the start-up takes, in seconds."""
        started = time.perf_counter()
        yield
        self.start_up_seconds[part] = time.perf_counter() - started

    def describe(self) -> dict:
        """The seconds of each part of the start-up, and the note, for JSON."""
        return {"start_up_seconds": self.start_up_seconds, "note": self.note}


def set_up_pytorch(threads: int) -> None:
    """Seed PyTorch, and give its operations so many threads."""
    import torch

    torch.manual_seed(SEED)
    torch.set_num_threads(threads)
    torch.backends.cuda.matmul.allow_tf32 = True  # TensorFlow's default


def pytorch_device() -> str:
    """Where PyTorch computes: on a GPU if there is one, as TensorFlow does."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def installed_systems(names: Sequence[str], log: Callable[[str], None]) -> list[str]:
    """Those of `names` whose packages are installed; each of the others is logged in a line."""
    missing = {name: _missing_packages(name) for name in names}
    for name, packages in missing.items():
        if packages:
            log(
                f"{name} is left out: {' and '.join(packages)} not installed; "
                'run: pip install -e ".[benchmark]"'
            )
    return [name for name in names if not missing[name]]


def _missing_packages(name: str) -> list[str]:
    packages = PACKAGES.get(name, ())
    return [package for package in packages if importlib.util.find_spec(package) is None]
