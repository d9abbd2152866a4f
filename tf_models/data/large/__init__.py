"""Corpora that are larger than memory: prepared once into a folder, read from the disk."""
