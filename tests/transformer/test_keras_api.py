"""The classes as Keras' users call them: compile, fit, save, 16 bits."""

import keras
import numpy as np
import pytest
import tensorflow as tf

from tf_models.errors import InputError
from tf_models.losses import accuracy_function, loss_function
from tf_models.transformer.classifier import TransformerClassifier
from tf_models.transformer.model import Encoder, Transformer

LAYERS = {"num_layers": 1, "d_model": 8, "num_heads": 2, "dff": 8, "rate": 0.0}
INP = np.array([[18, 3, 4, 5, 19], [18, 7, 19, 0, 0], [18, 9, 8, 19, 0]])
TAR = np.array([[28, 3, 4, 29], [28, 6, 29, 0], [28, 29, 0, 0]])
READ, REAL = TAR[:, :-1], TAR[:, 1:]
MODELS = ("transformer", "tied", "classifier")


def make(kind="transformer", **options):
    keras.utils.set_random_seed(1)
    if kind == "classifier":
        sizes = {"vocab_size": 30, "maximum_position_encoding": 6, "num_classes": 3}
        return TransformerClassifier(**LAYERS, **sizes, **options)
    sizes = {"input_vocab_size": 30, "target_vocab_size": 30, "pe_input": 6, "pe_target": 6}
    return Transformer(**LAYERS, **sizes, tie_embeddings=kind == "tied", **options)


def test_one_step_shows_loss_and_accuracy_of_the_real_tokens():
    model = make()
    logits = model(INP, READ)[0]
    model.compile(keras.optimizers.Adam(0.02), run_eagerly=True)
    history = model.fit(INP, TAR, verbose=0).history

    loss, accuracy = loss_function(tf.constant(REAL), logits), accuracy_function(REAL, logits)
    assert history["loss"][0] == pytest.approx(float(loss), rel=1e-5)
    assert history["accuracy"][0] == pytest.approx(float(accuracy))


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.uint16])
@pytest.mark.parametrize("policy", ["mixed_bfloat16", "mixed_float16"])
def test_ids_of_any_type_keep_all_their_digits(dtype, policy):
    ids = np.array([[4097, 2049, 777, 0]])
    sizes = {**LAYERS, "vocab_size": 5000, "maximum_position_encoding": 9, "dtype": policy}
    for model in (Encoder(**sizes), TransformerClassifier(**sizes, num_classes=2)):
        np.testing.assert_array_equal(model(ids.astype(dtype))[0], model(ids.astype(np.int32))[0])


@pytest.mark.parametrize("kind", MODELS)
def test_rows_of_padding_only_stay_finite(kind):
    model, nothing = make(kind), np.zeros_like(INP)
    inputs = (nothing,) if kind == "classifier" else (nothing, np.zeros_like(TAR))
    with tf.GradientTape() as tape:
        logits, weights = model(*inputs)
        loss = tf.reduce_sum(logits**2)
    gradients = tape.gradient(loss, [w.value for w in model.trainable_variables])
    for values in (logits, *weights.values(), *map(tf.convert_to_tensor, gradients)):
        assert np.isfinite(values).all()
    assert float(loss_function(tf.zeros((2, 3), tf.int32), tf.ones((2, 3, 5)))) == 0


def test_too_many_tokens_are_refused():
    with pytest.raises(InputError, match="sentences have 7 tokens, and positions end at 6"):
        make()(np.ones((2, 7), int), TAR)
