"""Translators and autoencoders of well-known articles, on Keras 3."""

import os

__version__ = "2.0.0.dev0"

os.environ["KERAS_BACKEND"] = "tensorflow"  # read by Keras when it is imported (see `backend`)
# For each shape of matrices oneDNN compiles a product, and it keeps a thousand of them. An epoch of
# bucketed batches has many times as many shapes, and the next epoch the same ones again.
os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "100000")  # some kilobytes each
