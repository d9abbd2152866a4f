"""Training engine, independent of models: step, loop, checkpoints, runs."""
