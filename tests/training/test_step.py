"""A batch gives the same gradient however it is cut, in `fit` and in the loop."""

import keras
import numpy as np
import pytest
import tensorflow as tf

from tests.support.small_training import SmallModel
from tf_models.base import SummedLossModel
from tf_models.loss_sums import LossSums

X = tf.reshape(tf.range(10.0), (5, 2))
Y = tf.range(5.0)


def trained(num_shards):
    keras.utils.set_random_seed(0)
    model = SmallModel(num_shards)
    model.dropout.rate = 0.0
    model.compile(keras.optimizers.SGD(0.01))
    logs = model.fit(X, Y[:, tf.newaxis], batch_size=3, epochs=2, shuffle=False, verbose=0)
    return model.get_weights(), logs.history["loss"]


@pytest.mark.parametrize("num_shards", [2, 3])
def test_fit_with_shards_is_fit_without(num_shards):
    whole, cut = trained(1), trained(num_shards)

    np.testing.assert_allclose(cut[1], whole[1], rtol=1e-5)
    for weight, expected in zip(cut[0], whole[0], strict=True):
        np.testing.assert_allclose(weight, expected, rtol=1e-5)


class Units(SummedLossModel):
    """Every example has as many units as its number says; each has a loss of 1."""

    def __init__(self):
        super().__init__(("loss",))
        self.w = self.add_weight(shape=(), name="w")
        self.built = True

    def count(self, x):
        return tf.reduce_sum(x)

    def loss_sums(self, x, training):
        loss = tf.reduce_sum(x) * (1 + 0 * self.w)
        return LossSums(loss, {"loss": 2 * loss})


def test_means_are_over_units_and_show_the_metrics():
    model = Units()
    model.compile("sgd")
    shown = model.evaluate(tf.constant([1.0, 5.0, 2.0]), batch_size=2, return_dict=True, verbose=0)

    assert shown["loss"] == pytest.approx(2)
    assert float(model.means.totals[-1]) == 8
