"""RNNs: translator, question answering, sequence autoencoder, attention."""

import tf_models.backend  # noqa: F401
