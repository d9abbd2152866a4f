import keras
import numpy as np
import pytest

from tf_models.autoencoders.dense import dense_encoder
from tf_models.errors import InputError
from tf_models.tasks.autoencoding.classification import classifier


def test_probabilities_of_the_encoders_codes():
    encoder = dense_encoder((2, 2, 1), 3)
    model = classifier(encoder, 5)
    x = np.random.default_rng(0).random((4, 2, 2, 1), np.float32)

    kernel, bias = model.get_layer("head").get_weights()
    expected = keras.ops.softmax(encoder(x) @ kernel + bias)
    np.testing.assert_allclose(model(x), expected, rtol=1e-5)
    assert len(model.trainable_variables) == len(encoder.trainable_variables) + 2


def test_one_class_is_none():
    with pytest.raises(InputError, match="at least 2 classes; received 1"):
        classifier(dense_encoder((2, 2, 1), 3), 1)
