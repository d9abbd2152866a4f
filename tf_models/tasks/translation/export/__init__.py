"""Trained translators for other programs: CTranslate2's format, and TensorFlow's SavedModel."""
