import keras
import numpy as np
import pytest
import tensorflow as tf

from tf_models.transformer.classifier import TransformerClassifier

SIZES = {
    "num_layers": 2,
    "d_model": 16,
    "num_heads": 4,
    "dff": 32,
    "vocab_size": 20,
    "maximum_position_encoding": 12,
    "num_classes": 3,
}
IDS = tf.constant([[18, 3, 4, 5, 6, 19], [18, 7, 8, 19, 0, 0], [18, 9, 19, 0, 0, 0]])


@pytest.fixture(params=["mean", "first"])
def model(request):
    keras.utils.set_random_seed(1)
    model = TransformerClassifier(**SIZES, pooling=request.param)
    model.build()
    for weight in model.trainable_variables:  # biases and norms too, or they would not be tested
        weight.assign(weight + 0.3 * np.random.default_rng(0).normal(size=weight.shape))
    return model


def encoded(model, ids):
    """The encoder's outputs for one text without padding, (len, d_model)."""
    return model.encoder(ids[None], training=False)[0][0].numpy()


def test_logits_are_the_pooled_outputs_through_the_network(model):
    logits, _ = model(IDS)

    for ids, row in zip(IDS.numpy(), logits, strict=True):
        outputs = encoded(model, ids[ids != 0])
        pooled = outputs.mean(axis=0) if model.pooling == "mean" else outputs[0]
        first, second = ((layer.kernel.numpy(), layer.bias.numpy()) for layer in model.ffn.layers)
        x = pooled + np.maximum(pooled @ first[0] + first[1], 0) @ second[0] + second[1]
        x = (x - x.mean()) / np.sqrt(x.var() + 1e-6)
        x = x * model.layernorm.gamma.numpy() + model.layernorm.beta.numpy()
        final = model.final_layer
        expected = x @ final.kernel.numpy() + final.bias.numpy()
        np.testing.assert_allclose(row, expected, atol=2e-5)


def test_padding_changes_nothing(model):
    logits, weights = model(IDS)
    padded, more_weights = model(tf.pad(IDS, [(0, 0), (0, 4)]))

    np.testing.assert_allclose(padded, logits, atol=1e-6)
    for name, values in weights.items():
        np.testing.assert_allclose(more_weights[name][..., :6, :6], values, atol=1e-6)
        assert not np.any(more_weights[name][..., 6:])


def test_it_returns_the_attention_of_its_encoder(model):
    _, weights = model(IDS[:1])

    assert list(weights) == ["encoder_layer1", "encoder_layer2"]
    for values in weights.values():
        assert values.shape == (1, 4, 6, 6)
        np.testing.assert_allclose(tf.reduce_sum(values, axis=-1), 1, atol=1e-6)


def test_a_frozen_encoder_has_no_dropout_and_nothing_to_train(model):
    model.encoder.trainable = False
    head = 2 * 2 + 2 + 2  # two layers, gamma and beta, the logits
    assert len(model.trainable_variables) == head

    model.dropout1.rate = model.dropout2.rate = 0.0
    np.testing.assert_array_equal(model(IDS, training=True)[0], model(IDS)[0])
    model.encoder.trainable = True
    assert not np.allclose(model(IDS, training=True)[0], model(IDS)[0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pooling": "last"}, "pooling must be one of mean, first; received 'last'"),
        ({"num_heads": 3}, "num_heads"),
    ],
)
def test_arguments_that_make_no_sense(change, message):
    with pytest.raises(ValueError, match=message):
        TransformerClassifier(**{**SIZES, **change})
