"""One check for every layer: shapes, weights, config and saving."""

import keras
import numpy as np
import tensorflow as tf


def check_layer(layer_class, arguments, inputs, shapes, weights, tmp_path):
    """Check a layer class.

    Args:
        arguments: keyword arguments of the constructor.
        inputs: positional tensors of a call.
        shapes: expected shapes of the outputs, flattened.
        weights: expected number of weight tensors.
        tmp_path: an empty folder.
    """
    layer = layer_class(**arguments)
    outputs = layer(*inputs)
    assert [tuple(output.shape) for output in tf.nest.flatten(outputs)] == shapes
    assert len(layer.trainable_weights) == weights

    config = layer.get_config()
    assert {name: config[name] for name in arguments} == arguments
    assert layer_class.from_config(config).get_config() == config
    policy = keras.DTypePolicy("float32")  # as the models pass it on: Keras alone cannot save it
    assert layer_class(**arguments, dtype=policy).get_config()["dtype"]

    again = save_and_load(layer, inputs, tmp_path / "layer.keras")
    for before, after in zip(tf.nest.flatten(outputs), tf.nest.flatten(again), strict=True):
        np.testing.assert_array_equal(before, after)


def save_and_load(layer, inputs, path):
    """Outputs of a model around the layer, after it was saved and loaded."""
    symbols = [keras.Input(x.shape[1:], dtype=x.dtype) for x in inputs]
    keras.Model(symbols, layer(*symbols)).save(path)
    return keras.models.load_model(path)(list(inputs))
