"""Recurrent networks: sequence autoencoders."""

import tf_models.backend  # noqa: F401
