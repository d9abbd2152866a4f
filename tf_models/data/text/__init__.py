"""Sentence pairs: corpora, splits, tokenizers, batches."""
