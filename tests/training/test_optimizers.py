import keras
import numpy as np
import pytest
import tensorflow as tf

from tf_models.training.optimizers import (
    ClippedAdafactor,
    FusedAdam,
    FusedAdamax,
    FusedMuon,
    LossScaling,
    make_adam,
)
from tf_models.training.settings import OptimizerSettings
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
        (FusedAdam, keras.optimizers.Adam, {**MOMENTS, "global_clipnorm": 2.0}),
        (FusedMuon, keras.optimizers.Muon, {**MUON, "global_clipnorm": 2.0}),
        (FusedMuon, keras.optimizers.Muon, {**MUON, "weight_decay": 5.0}),
        (FusedMuon, keras.optimizers.Muon, {**MUON, "adam_weight_decay": 5.0}),
        (ClippedAdafactor, keras.optimizers.Adafactor, {"global_clipnorm": 2.0}),
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


def test_adam_of_settings():
    settings = OptimizerSettings(learning_rate=0.1, schedule="constant", clip_norm=3.0)
    optimizer = make_adam(settings, steps=10, epsilon=1e-4)

    assert (optimizer.global_clipnorm, optimizer.epsilon) == (3.0, 1e-4)
    assert float(optimizer.learning_rate) == pytest.approx(0.1)
    assert make_adam(OptimizerSettings(), steps=10).global_clipnorm is None


def test_config_round_trip():
    config = FusedAdam(0.01, beta_2=0.98).get_config()

    assert FusedAdam.from_config(config).get_config() == config


def test_a_step_that_is_not_finite_is_left_out_and_the_scale_is_halved():
    variable = keras.Variable([1.0, 2.0])
    optimizer = LossScaling(FusedAdam(0.1), initial_scale=8.0)
    optimizer.build([variable])

    @tf.function
    def apply(gradient):
        optimizer.apply([optimizer.scale_loss(gradient)], [variable])

    apply(tf.constant([1.0, np.inf]))
    np.testing.assert_array_equal(variable, [1, 2])
    assert optimizer.iterations == 0
    assert optimizer.dynamic_scale == 4
    apply(tf.constant([1.0, -1.0]))
    np.testing.assert_allclose(variable, [0.9, 2.1], rtol=1e-5)  # Adam's first step
