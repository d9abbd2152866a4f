"""Autoencoders: dense, convolutional, stacked, variational, hierarchical."""

import tf_models.backend  # noqa: F401
