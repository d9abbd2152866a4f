"""The Transformer, as in TensorFlow's tutorial; see docs/deviations.md."""

import tf_models.backend  # noqa: F401
