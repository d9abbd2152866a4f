import keras
import numpy as np
import pytest
import tensorflow as tf

from tf_models.layers.dense import Dense


@pytest.mark.parametrize("shape", [(5, 4), (3, 5, 4), (2, 3, 5, 4), (0, 5, 4)])
@pytest.mark.parametrize("activation", [None, "relu"])
def test_it_is_keras_dense(shape, activation):
    ours, theirs = (kind(6, activation=activation) for kind in (Dense, keras.layers.Dense))
    inputs = tf.random.stateless_normal(shape, (1, 2))
    ours.build(shape)
    theirs.build(shape)
    theirs.set_weights([weight + 0.1 for weight in ours.get_weights()])
    ours.set_weights(theirs.get_weights())

    for call in (ours, tf.function(ours)):
        np.testing.assert_allclose(call(inputs), theirs(inputs), atol=1e-6)
