"""Translators and autoencoders of the well-known articles, on Keras 3 and TensorFlow."""

__version__ = "1.0.0"
