"""Translators and autoencoders of well-known articles, on Keras 3.

`from tf_models import Transformer, VAE, ready_made`: the names of `__init__.pyi` are imported from
their modules when they are asked for; `import tf_models` alone imports neither Keras nor
TensorFlow. It sets two environment variables: KERAS_BACKEND, and oneDNN's cache where it is unset.
"""

import ast
import os
from importlib import import_module
from pathlib import Path

__version__ = "2.0.0"

os.environ["KERAS_BACKEND"] = "tensorflow"  # read by Keras when it is imported (see `backend`)
# For each shape of matrices oneDNN compiles a product, and it keeps a thousand of them. An epoch of
# bucketed batches has many times as many shapes, and the next epoch the same ones again.
os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "100000")  # some kilobytes each

MODULES = {  # name -> module, as the stub file imports it
    alias.name: line.module
    for line in ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")).body
    if isinstance(line, ast.ImportFrom)
    for alias in line.names
}
__all__ = list(MODULES)


def __getattr__(name: str) -> object:
    """A name of `MODULES`, from its module."""
    if name not in MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import_module(f"{__name__}.backend")  # first, or TensorFlow starts with messages
    return getattr(import_module(MODULES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *MODULES})
