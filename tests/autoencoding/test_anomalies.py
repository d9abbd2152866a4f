import numpy as np

from tf_models.autoencoding.anomalies import reconstruction_errors, roc


def test_errors_are_sums_over_pixels():
    images = np.zeros((2, 2, 2, 1))
    other = np.stack([np.full((2, 2, 1), 0.5), np.ones((2, 2, 1))])
    np.testing.assert_allclose(reconstruction_errors(images, other), [1.0, 4.0])


def test_the_area_is_the_probability_of_a_greater_error():
    errors = np.array([1.0, 2.0, 3.0, 4.0])
    anomalous = np.array([False, True, False, True])
    false_positives, true_positives, area = roc(errors, anomalous)

    assert area == 3 / 4  # of four pairs (anomaly, other) three are in the right order
    assert (false_positives[0], true_positives[0]) == (0, 0)
    assert (false_positives[-1], true_positives[-1]) == (1, 1)
    assert roc(-errors, anomalous)[2] == 1 / 4
