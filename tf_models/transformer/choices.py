"""Names that settings and the model share; apart, so that --help need not wait for TensorFlow."""

POOLINGS = ("mean", "first")
"""What stands for a text: the mean of the encoder's outputs, or the one at the first token."""
