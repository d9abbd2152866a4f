"""Every call of the tutorial as it is printed, behind one import; sizes are smaller."""
# ruff: noqa: F403, F405

import sys

import numpy as np
import pytest
import tensorflow as tf

from tests.support.eager import eagerly
from tf_models import tutorial
from tf_models.errors import InputError
from tf_models.tutorial import *

SENTENCE = "The old dog sleeps."
x = tf.constant([[7, 6, 0, 0, 1], [1, 2, 3, 0, 0], [0, 0, 0, 4, 5]])


def ids(*shape):
    return tf.random.uniform(shape, dtype=tf.int64, minval=0, maxval=80)


def test_positions_and_masks():
    angles = get_angles(np.arange(50)[:, np.newaxis], np.arange(16)[np.newaxis, :], 16)
    assert angles.shape == (50, 16)
    pos_encoding = positional_encoding(50, 16)
    assert pos_encoding.shape == (1, 50, 16)
    assert create_padding_mask(x).shape == (3, 1, 1, 5)
    temp = create_look_ahead_mask(tf.random.uniform((1, 3)).shape[1])
    assert temp.numpy().tolist() == [[0, 1, 1], [0, 0, 1], [0, 0, 0]]
    assert [mask.shape[-1] for mask in create_masks(x, x[:, :-1])] == [5, 4, 5]


def test_print_out(capsys):
    temp_k = tf.constant([[10, 0, 0], [0, 10, 0], [0, 0, 10], [0, 0, 10]], dtype=tf.float32)
    temp_v = tf.constant([[1, 0], [10, 0], [100, 5], [1000, 6]], dtype=tf.float32)
    temp_q = tf.constant([[0, 0, 10]], dtype=tf.float32)
    print_out(temp_q, temp_k, temp_v)
    weights, output = capsys.readouterr().out.split("Output is:")
    assert weights.startswith("Attention weights are:\n")
    assert np.fromstring(output.strip("\n []"), sep=" ").tolist() == [550, 5.5]


def test_layers():
    temp_mha = MultiHeadAttention(d_model=16, num_heads=8)
    y = tf.random.uniform((1, 60, 16))  # (batch_size, encoder_sequence, d_model)
    out, attn = temp_mha(y, k=y, q=y, mask=None)
    assert (out.shape, attn.shape) == ((1, 60, 16), (1, 8, 60, 60))
    sample_ffn = point_wise_feed_forward_network(16, 32)
    assert sample_ffn(y).shape == (1, 60, 16)
    sample_encoder_layer = EncoderLayer(16, 8, 32)
    sample_encoder_layer_output = sample_encoder_layer(y, False, None)
    assert sample_encoder_layer_output.shape == (1, 60, 16)
    sample_decoder_layer = DecoderLayer(16, 8, 32)
    sample_decoder_layer_output, _, _ = sample_decoder_layer(
        tf.random.uniform((1, 50, 16)), sample_encoder_layer_output, False, None, None
    )
    assert sample_decoder_layer_output.shape == (1, 50, 16)


SIZES = {"num_layers": 2, "d_model": 16, "num_heads": 8, "dff": 32}


def test_stacks():
    sample_encoder = Encoder(**SIZES, input_vocab_size=85, maximum_position_encoding=100)
    sample_encoder_output = sample_encoder(ids(4, 62), training=False, mask=None)
    assert sample_encoder_output.shape == (4, 62, 16)
    sample_decoder = Decoder(**SIZES, target_vocab_size=80, maximum_position_encoding=50)
    output, attn = sample_decoder(
        ids(4, 26),
        enc_output=sample_encoder_output,
        training=False,
        look_ahead_mask=None,
        padding_mask=None,
    )
    assert (output.shape, attn["decoder_layer2_block2"].shape) == ((4, 26, 16), (4, 8, 26, 62))


@pytest.fixture
def reader(monkeypatch):
    """The globals of the script or the notebook in which a reader runs the tutorial's code."""

    def define(**names):
        for name, value in names.items():
            monkeypatch.setitem(vars(sys.modules["__main__"]), name, value)

    return define


def test_training(reader, capsys):
    input_vocab_size, target_vocab_size = tokenizer_pt.vocab_size + 2, tokenizer_en.vocab_size + 2
    learning_rate = CustomSchedule(16)
    optimizer = tf.keras.optimizers.Adam(learning_rate, beta_1=0.9, beta_2=0.98, epsilon=1e-9)
    train_loss = tf.keras.metrics.Mean(name="train_loss")
    train_accuracy = tf.keras.metrics.Mean(name="train_accuracy")
    transformer = Transformer(
        2, 16, 8, 32, input_vocab_size, target_vocab_size, pe_input=41, pe_target=42, rate=0.1
    )
    names = {"train_loss": train_loss, "train_accuracy": train_accuracy}
    reader(transformer=transformer, optimizer=optimizer, **names)
    inp, tar = ids(4, 9), ids(4, 8)
    with eagerly():
        train_step(inp, tar)
        train_step(inp, tar)
    assert optimizer.iterations == 2
    assert 9 < train_loss.result() < 10  # ln 10,002 is 9.2
    assert 0 <= train_accuracy.result() <= 1

    masks = create_masks(inp, tar[:, :-1])
    predictions, _ = transformer(inp, tar[:, :-1], False, *masks)
    assert loss_object(tar[:, 1:], predictions).shape == (4, 7)
    assert 9 < loss_function(tar[:, 1:], predictions) < 10
    assert 0 <= accuracy_function(tar[:, 1:], predictions) <= 1
    with eagerly():
        translate(SENTENCE)
        with pytest.raises(InputError, match="positions end at 41"):
            translate(SENTENCE * 10)
    assert "Der alte Hund" not in capsys.readouterr().out  # the reader's own has learnt nothing


def test_translating(capsys, monkeypatch):
    result, attention_weights = evaluate(SENTENCE)
    assert tokenizer_en.decode(i for i in result if i < tokenizer_en.vocab_size) == (
        "Der alte Hund schläft."
    )
    shown = []
    monkeypatch.setattr(tutorial, "show", lambda figure, description: shown.append(figure))
    translate(SENTENCE, plot="decoder_layer4_block2")
    assert "Predicted translation: Der alte Hund schläft." in capsys.readouterr().out
    for layer in ("decoder_layer1_block1", "encoder_layer1"):
        plot_attention_weights(attention_weights, SENTENCE, result, layer)
    labels = [
        [label.get_text() for label in (*axes.get_yticklabels(), *axes.get_xticklabels())]
        for axes, *_ in (figure.axes for figure in shown)
    ]
    read = ["<start>", "_The", "_old", "_dog", "_sleeps", ".", "<end>"]
    written = ["<start>", "_Der", "_alte", "_Hund", "_schläft", "."]
    assert labels == [[*written[1:], *read], [*written, *written], [*read, *read]]
    weights = attention_weights["decoder_layer4_block2"][0, 0]
    np.testing.assert_allclose(shown[0].axes[0].images[0].get_array(), weights[: len(written) - 1])


def test_subwords():
    sample_string = "Transformer is awesome."
    tokenized_string = tokenizer_en.encode(sample_string)
    assert tokenizer_en.decode(tokenized_string) == sample_string
    assert "".join(tokenizer_en.decode([ts]) for ts in tokenized_string)
    assert tokenizer_en.vocab_size == ready_made().tokenizers.target.pieces
