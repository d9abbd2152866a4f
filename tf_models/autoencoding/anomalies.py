"""Anomaly detection: what an autoencoder has never seen it cannot write again."""

import numpy as np
from sklearn.metrics import roc_auc_score, roc_curve


def reconstruction_errors(images: np.ndarray, reconstructions: np.ndarray) -> np.ndarray:
    """|x - x^|^2 of images (n, height, width, channels), summed over pixels: (n,)."""
    return np.sum(np.square(images - reconstructions), axis=(1, 2, 3))


def roc(errors: np.ndarray, anomalous: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """The receiver operating characteristic of "the error is above a threshold".

    Args:
        errors: (n,).
        anomalous: whether each image is an anomaly, (n,) bool.

    Returns:
        false positive rates and true positive rates for falling thresholds, and the area under
        the curve: the probability that an anomaly has a greater error than another image.
    """
    false_positives, true_positives, _ = roc_curve(anomalous, errors)
    return false_positives, true_positives, float(roc_auc_score(anomalous, errors))
