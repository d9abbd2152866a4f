import keras
import numpy as np
import pytest
import tensorflow as tf

from tf_models.autoencoders.hierarchical.cells import MAX_POSITIONS, DepthwiseConvolution, tap_index


@pytest.mark.parametrize(
    ("size", "kernel_size"),
    [((7, 7), 5), ((5, 4), 3), ((1, 6), 3), ((4, 6), (2, 4)), ((15, 15), 3)],
)
def test_outputs_and_gradients_are_keras_own(size, kernel_size):
    x = tf.random.stateless_normal((3, *size, 4), (1, 2))
    plain = keras.layers.DepthwiseConv2D(kernel_size, padding="same", use_bias=False)
    layer = DepthwiseConvolution(kernel_size)
    for one in (plain, layer):
        one.build((None, *size, 4))
    layer.set_weights(plain.get_weights())

    def output_and_gradients(layer):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = layer(x)
            loss = tf.reduce_sum(y**3)
        return y, *tape.gradient(loss, [x, layer.kernel.value])

    for ours, keras_own in zip(*map(output_and_gradients, (layer, plain)), strict=True):
        np.testing.assert_allclose(ours, keras_own, rtol=1e-4, atol=1e-4)


def test_both_ways_are_tested_above():
    assert 7 * 7 <= MAX_POSITIONS < 15 * 15


def test_an_input_meets_an_output_at_the_difference_of_their_positions():
    of_row = tap_index((1, 3), (1, 3))  # (input, output, place)
    np.testing.assert_array_equal(
        of_row.argmax(axis=-1) * of_row.any(axis=-1), [[1, 0, 0], [2, 1, 0], [0, 2, 1]]
    )
    np.testing.assert_array_equal(of_row.sum(axis=-1), [[1, 1, 0], [1, 1, 1], [0, 1, 1]])
