"""Autoencoders: dense, convolutional, stacked, variational, hierarchical."""
