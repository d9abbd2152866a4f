import keras
import numpy as np
import pytest
import tensorflow as tf

from tf_models.training.optimizers import FusedAdam, TimedCosine


@pytest.mark.parametrize(
    "options", [{}, {"beta_2": 0.98, "epsilon": 1e-9, "global_clipnorm": 1.0}, {"amsgrad": True}]
)
def test_the_fused_adam_is_keras(options):
    gradients = tf.random.stateless_normal((5, 4, 3), (0, 1))
    weights = []
    for kind in (FusedAdam, keras.optimizers.Adam):
        variable, optimizer = keras.Variable(np.ones((4, 3), np.float32)), kind(0.01, **options)
        optimizer.build([variable])
        for gradient in gradients:
            optimizer.apply([gradient])
        weights.append(variable.numpy())
    np.testing.assert_allclose(*weights, rtol=1e-5)
    assert np.abs(weights[0] - 1).min() > 1e-3


def test_a_timed_cosine_warms_up_by_steps_and_ends_with_the_time():
    rate = TimedCosine(0.1, 60, warmup_steps=3)
    assert [float(rate(step)) for step in (0, 3)] == pytest.approx([0.025, 0.1])
    rate.seconds.assign(30)
    assert float(rate(0)) == pytest.approx(0.05)
