"""Autoencoding: from settings and images or sentences to codes, samples and figures."""
