"""Experiments, measurements and benchmarks that the results rest on. The library needs none."""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # TensorFlow reads it when it is imported
