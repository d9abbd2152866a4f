"""Translation: from settings and a corpus to translations, scores and attention maps."""
