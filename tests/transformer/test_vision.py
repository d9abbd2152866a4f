import keras
import numpy as np
import pytest
import tensorflow as tf

from tf_models.transformer.vision import VisionTransformer, patches

SIZES = {"num_layers": 2, "d_model": 16, "num_heads": 4, "dff": 32, "num_classes": 3}
IMAGES = np.random.default_rng(0).random((2, 4, 6, 3), np.float32)


@pytest.fixture
def model():
    keras.utils.set_random_seed(1)
    model = VisionTransformer((4, 6, 3), 2, **SIZES)
    model.build()
    for weight in model.trainable_variables:  # biases and norms too, or they would not be tested
        weight.assign(weight + 0.3 * np.random.default_rng(0).normal(size=weight.shape))
    return model


def test_patches_are_the_squares_of_the_image_row_by_row():
    x = patches(tf.constant(IMAGES), 2).numpy()

    assert x.shape == (2, 6, 12)
    for number, (row, column) in enumerate(np.ndindex(2, 3)):
        square = IMAGES[:, 2 * row : 2 * row + 2, 2 * column : 2 * column + 2]
        np.testing.assert_array_equal(x[:, number], square.reshape(2, 12))


def test_a_token_for_the_class_then_one_for_each_patch(model):
    tokens = model.embed(tf.constant(IMAGES)).numpy()
    position = model.pos_encoding.numpy()[0]

    class_token = model.class_token.numpy()[0, 0] + position[0]
    np.testing.assert_allclose(tokens[:, 0], np.tile(class_token, (2, 1)), atol=1e-6)
    kernel, bias = model.embedding.kernel.numpy(), model.embedding.bias.numpy()
    last = IMAGES[:, 2:, 4:].reshape(2, 12) @ kernel + bias + position[6]
    np.testing.assert_allclose(tokens[:, 6], last, atol=1e-5)


def test_it_returns_the_attention_of_each_layer(model):
    logits, weights = model(IMAGES)

    assert logits.shape == (2, 3)
    assert list(weights) == ["encoder_layer1", "encoder_layer2"]
    for values in weights.values():
        assert values.shape == (2, 4, 7, 7)
        np.testing.assert_allclose(tf.reduce_sum(values, axis=-1), 1, atol=1e-6)


def test_without_positions_the_order_of_patches_says_nothing(model):
    mixed = np.concatenate([IMAGES[:, :, 4:], IMAGES[:, :, :4]], axis=2)  # last column first
    before = model(IMAGES)[0]
    assert not np.allclose(model(mixed)[0], before, atol=1e-2)

    model.pos_encoding.assign(tf.zeros_like(model.pos_encoding))
    without = model(IMAGES)[0]
    np.testing.assert_allclose(model(mixed)[0], without, atol=1e-5)
    assert not np.allclose(without, before, atol=1e-2)


def test_layers_are_normalised_before_and_have_gelu(model):
    z = model.embed(tf.constant(IMAGES))
    (layer, *_) = model.enc_layers
    normed = layer.layernorm1(z)
    out1 = z + layer.mha(normed, normed, normed)[0]
    first, second = layer.ffn.layers
    hidden = layer.layernorm2(out1) @ first.kernel + first.bias
    expected = out1 + keras.ops.gelu(hidden, approximate=False) @ second.kernel + second.bias
    np.testing.assert_allclose(layer(z)[0], expected, atol=1e-5)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"patch": 4}, "patch must divide .*; received patch=4, images of 4 x 6"),
        ({"num_heads": 3}, "num_heads must divide d_model"),
    ],
)
def test_arguments_that_make_no_sense(change, message):
    with pytest.raises(ValueError, match=message):
        VisionTransformer((4, 6, 3), **{"patch": 2, **SIZES, **change})
