"""The fast objective, in the train step, against the tutorial's: same loss, same gradients."""

import numpy as np
import pytest
import tensorflow as tf

from tf_models.layers.loss import accuracy_function, loss_function
from tf_models.tasks.translation.objective import TranslationObjective
from tf_models.training.train_step import TrainStep

INP = tf.constant([[28, 3, 4, 5, 29], [28, 3, 29, 0, 0], [28, 7, 8, 29, 0]])
TAR = tf.constant([[28, 3, 4, 29, 0, 0], [28, 9, 8, 7, 6, 29], [28, 3, 29, 0, 0, 0]])


def plain_loss_and_gradients(model):
    """As the tutorial computes them."""
    with tf.GradientTape() as tape:
        predictions, _ = model(INP, TAR[:, :-1], training=True)
        loss = loss_function(TAR[:, 1:], predictions)
    variables = [variable.value for variable in model.trainable_variables]
    gradients = [tf.convert_to_tensor(g) for g in tape.gradient(loss, variables)]
    return loss, accuracy_function(TAR[:, 1:], predictions), gradients


class Catcher:
    """Stands for an optimizer, and keeps the gradients."""

    def scale_loss(self, loss):
        return loss

    def apply(self, gradients, variables):
        self.gradients = gradients


def train_once(model, num_shards=1, **options):
    """One eager train step, so that its gradients come out as values: these, and the step."""
    spec = (tf.TensorSpec((None, None), tf.int32),) * 2
    catcher, objective = Catcher(), TranslationObjective(model, **options)
    strategy = tf.distribute.get_strategy()
    step = TrainStep(model.network, catcher, objective, strategy, spec, num_shards=num_shards)
    tf.config.run_functions_eagerly(True)
    try:
        step.train_steps(iter([(INP, TAR)]), 1)
    finally:
        tf.config.run_functions_eagerly(False)
    return catcher.gradients, step


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("shards", [1, 2, 5])
def test_fast_and_plain_gradients_are_equal(prepare, shards, tied):
    model = prepare(dropout=0.0, joint=tied, tie_embeddings=tied).model
    found, step = train_once(model, shards)
    loss, accuracy, gradients = plain_loss_and_gradients(model.network)

    assert step.metrics.means()["loss"] == pytest.approx(float(loss), rel=1e-5)
    assert step.metrics.means()["accuracy"] == pytest.approx(float(accuracy))
    assert step.metrics.count == 10
    for ours, theirs in zip(found, gradients, strict=True):
        # The gradient of a key's bias is zero but for rounding: softmax does not see it.
        np.testing.assert_allclose(ours, theirs, atol=1e-5 * np.max(np.abs(theirs)) + 1e-7)


def test_r_drop_reaches_the_loss(prepare, monkeypatch):
    """Two forward passes that differ, as dropout would make them: each with its own cross-entropy,
    and half the sum of both divergences."""
    model = prepare(dropout=0.0).model
    network, alpha = model.network, 3.0
    states_of = network.decoder_states

    def two_passes(inp, tar_inp, training):
        states, weights = states_of(inp, tar_inp, training=training)
        first, second = tf.split(states, 2)
        return tf.concat([first, 0.5 * second], axis=0), weights

    monkeypatch.setattr(network, "decoder_states", two_passes)
    found, _ = train_once(model, r_drop=alpha)
    real = TAR[:, 1:] != 0
    labels = TAR[:, 1:][real]
    with tf.GradientTape() as tape:
        states, _ = states_of(INP, TAR[:, :-1], training=True)
        p, q = (
            tf.nn.log_softmax(network.final_layer(factor * states[real])) for factor in (1, 0.5)
        )
        kls = [tf.reduce_sum(tf.exp(a) * (a - b), axis=-1) for a, b in ((p, q), (q, p))]
        losses = [-tf.gather(of_pass, labels, batch_dims=1) for of_pass in (p, q)]
        loss = tf.reduce_mean(0.5 * tf.add_n(losses) + alpha * 0.25 * tf.add_n(kls))
    expected = tape.gradient(loss, [variable.value for variable in network.trainable_variables])

    for ours, theirs in zip(found, expected, strict=True):
        theirs = tf.convert_to_tensor(theirs)
        np.testing.assert_allclose(ours, theirs, atol=1e-5 * np.max(np.abs(theirs)) + 1e-7)


@pytest.mark.parametrize("rate", [0.0, 0.5])
def test_r_drop_takes_two_forward_passes(prepare, rate):
    """Without dropout both passes are the same, and so are loss and gradients."""
    model = prepare(dropout=rate).model
    found = []
    for r_drop in (0.0, 5.0):
        gradients, step = train_once(model, 2, r_drop=r_drop)
        assert step.metrics.count == 10
        found.append([step.metrics.means()["loss"], *gradients])
    same = [np.allclose(a, b, atol=1e-4) for a, b in zip(*found, strict=True)]
    assert all(same) == (rate == 0)


def test_validation_is_in_32_bits_whatever_the_precision(prepare):
    training = prepare(precision="mixed_bfloat16")
    training.step.validation_step(INP, TAR)
    predictions, _ = training.model.network(INP, TAR[:, :-1], training=False)

    expected = float(loss_function(TAR[:, 1:], predictions))
    assert training.step.metrics.means()["loss"] == pytest.approx(expected, rel=1e-5)


def test_validation_changes_nothing_and_smooths_nothing(prepare):
    training = prepare(label_smoothing=0.5)
    before = [variable.numpy() for variable in training.model.network.variables]
    step = training.step
    step.validation_step(INP, TAR)
    predictions, _ = training.model.network(INP, TAR[:, :-1], training=False)

    expected = float(loss_function(TAR[:, 1:], predictions))
    assert step.metrics.means()["loss"] == pytest.approx(expected, rel=1e-5)
    for old, new in zip(before, training.model.network.variables, strict=True):
        np.testing.assert_array_equal(old, new.numpy())
