"""Translators and autoencoders of the well-known articles, on Keras 3 and TensorFlow."""

__version__ = "0.1.0"
