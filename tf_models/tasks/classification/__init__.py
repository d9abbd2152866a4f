"""Texts to classes: a Transformer's encoder with a softmax, from scratch or from a translator."""
