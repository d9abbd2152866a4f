"""Translation: from a corpus to translations, scores and attention maps."""
