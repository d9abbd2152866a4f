"""Figures of attention and training from arrays, without model or screen."""
