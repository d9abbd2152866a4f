"""Trained translators for other programs: for CTranslate2 and TensorFlow."""
