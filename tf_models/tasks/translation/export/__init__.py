"""Trained translators for other programs: for CTranslate2, LiteRT and TensorFlow."""
