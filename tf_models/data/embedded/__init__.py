"""The embedded corpus: a file of sentence pairs, each with what is known of it."""
