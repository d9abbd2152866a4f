"""Autoencoding of images and sentences: training, codes, samples, figures."""
