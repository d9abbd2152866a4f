"""Greedy and beam search over a step function; it knows no model."""
