"""Texts and images to classes: a Transformer's encoder with a softmax."""
