"""Layers and losses that several families of models share."""
