"""The training engine: step, loop, checkpoints, run directory; it imports no model and no task."""
