"""Figures of attention and training from arrays and labels, never models; no screen needed."""
