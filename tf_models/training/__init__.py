"""The training engine: loop, checkpoints, run directory; it knows no model and no task."""
