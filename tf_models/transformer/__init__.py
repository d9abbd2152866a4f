"""The Transformer, class by class as the TensorFlow tutorial has it; see docs/deviations.md."""

import tf_models.backend  # noqa: F401
