"""Autoregressive models of images: an explicit density, pixel after pixel."""
