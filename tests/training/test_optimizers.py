import keras
import numpy as np
import pytest
import tensorflow as tf

from tf_models.training.optimizers import FusedAdam, FusedAdamax, FusedMuon
from tf_models.transformer.schedule import CustomSchedule

MOMENTS = {"beta_1": 0.9, "beta_2": 0.98, "epsilon": 1e-9}
MUON = {"adam_beta_2": 0.98, "epsilon": 1e-9, "weight_decay": 0.0, "adam_weight_decay": 0.0}


def optimise(optimizer_class, options):
    variables = [
        keras.Variable(np.ones((3, 4), np.float32)),
        keras.Variable(np.zeros(5, np.float32)),
    ]
    schedule = CustomSchedule(16, 10)
    optimizer = optimizer_class(schedule, **options)
    optimizer.build(variables)

    @tf.function
    def apply(*gradients):
        optimizer.apply(gradients, variables)

    random = np.random.default_rng(0)
    for _ in range(30):
        apply(*(tf.constant(random.normal(size=v.shape), tf.float32) for v in variables))
    return [v.numpy() for v in (*variables, *optimizer.variables)]


@pytest.mark.parametrize(
    ("fused", "plain", "options"),
    [
        (FusedAdam, keras.optimizers.Adam, MOMENTS),
        (FusedAdamax, keras.optimizers.Adamax, MOMENTS),
        (FusedMuon, keras.optimizers.Muon, MUON),
    ],
)
def test_same_weights_and_moments_as_keras(fused, plain, options):
    for ours, theirs in zip(optimise(fused, options), optimise(plain, options), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)


def test_a_sparse_gradient_is_one_of_zeros_elsewhere():
    variable = keras.Variable(np.ones((4, 2), np.float32))
    optimizer = FusedAdam(0.1)
    slices = tf.IndexedSlices(tf.ones((2, 2)), tf.constant([1, 1]), tf.constant([4, 2]))
    optimizer.apply([slices], [variable])

    np.testing.assert_allclose(variable.numpy(), [[1, 1], [0.9, 0.9], [1, 1], [1, 1]], atol=1e-6)


def test_config_round_trip():
    config = FusedAdam(0.01, beta_2=0.98).get_config()

    assert FusedAdam.from_config(config).get_config() == config
