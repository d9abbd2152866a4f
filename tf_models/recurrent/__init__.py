"""Recurrent networks: sequence autoencoders."""
