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
    model = prepare(
        dropout=0.0, tokenizer="joint" if tied else "separate", tie_embeddings=tied
    ).model
    found, step = train_once(model, shards)
    loss, accuracy, gradients = plain_loss_and_gradients(model.network)

    assert step.metrics.means()["loss"] == pytest.approx(float(loss), rel=1e-5)
    assert step.metrics.means()["accuracy"] == pytest.approx(float(accuracy))
    assert step.metrics.count == 10
    for ours, theirs in zip(found, gradients, strict=True):
        # The gradient of a key's bias is zero but for rounding: softmax does not see it.
        np.testing.assert_allclose(ours, theirs, atol=1e-5 * np.max(np.abs(theirs)) + 1e-7)


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
