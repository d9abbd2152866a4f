"""The recurrent baseline computes what this project computes."""

import keras
import numpy as np
import pytest
import tensorflow as tf

from tf_models.recurrent.translator import RecurrentTranslator
from tf_models.tasks.translation.settings import preset

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from research.benchmarks import pytorch_recurrent  # noqa: E402 (it imports PyTorch)

VOCABULARIES = (30, 30)
SIZES = {"d_model": 6, "units": 5, "dropout": 0.0, "tie_embeddings": True, "tokenizer": "joint"}


@pytest.mark.parametrize("architecture", ["rnn-attention", "rnn"])
def test_the_same_loss(architecture):
    ours, theirs = models(architecture)
    random = np.random.default_rng(1)
    inp, tar = (random.integers(1, 28, (3, length), dtype=np.int32) for length in (7, 6))
    inp[1, 4:] = tar[2, 3:] = 0
    outputs, _ = ours.decoder_states(tf.constant(inp), tf.constant(tar[:, :-1]))
    real = tar[:, 1:] != 0
    sums = ours.cross_entropy(outputs[tf.constant(real)], tf.constant(tar[:, 1:][real]))

    loss = theirs.eval().loss(*(torch.from_numpy(ids).long() for ids in (inp, tar)))

    assert loss.item() == pytest.approx(float(sums.loss), rel=1e-5)


def models(architecture):
    keras.utils.set_random_seed(0)
    settings = preset("article", architecture).changed(**SIZES)
    attends = architecture == "rnn-attention"
    ours = RecurrentTranslator(*VOCABULARIES, 6, 5, "gru", attends, 0.0, tie_embeddings=True)
    ours.build()
    random = np.random.default_rng(0)
    for weight in ours.trainable_variables:  # biases, too
        weight.assign(weight + random.normal(scale=0.3, size=weight.shape))
    theirs = pytorch_recurrent.make_model(settings, *VOCABULARIES)
    with torch.no_grad():
        copy_weights(ours, theirs)
    return ours, theirs


def copy_weights(ours, theirs):
    encoder, decoder = ours.encoder, ours.decoder
    copy(encoder.embedding.embeddings, theirs.source.weight)
    copy(ours.final_layer.bias, theirs.output_bias)
    for direction, suffix in (("forward_layer", ""), ("backward_layer", "_reverse")):
        cell = getattr(encoder.rnn, direction).cell
        rnn = theirs.encoder_rnn
        names = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
        copy_gates(cell, *(getattr(rnn, name + suffix) for name in names))
    cell = theirs.decoder_cell
    copy_gates(decoder.rnn_cell, cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh)
    copy_dense(decoder.bridges[0], theirs.bridge)
    copy_dense(decoder.output_layer, theirs.output_layer)
    if theirs.attention:
        for name in ("W1", "W2", "V"):
            copy_dense(getattr(decoder.attention, name), getattr(theirs.attention, name))


def copy_gates(cell, weight_ih, weight_hh, bias_ih, bias_hh):
    """Keras has update, reset, new; PyTorch reset, update, new."""
    copy(reordered(cell.kernel).T, weight_ih)
    copy(reordered(cell.recurrent_kernel).T, weight_hh)
    biases = reordered(cell.bias)  # (2, 3 units)
    copy(biases[0], bias_ih)
    copy(biases[1], bias_hh)


def reordered(variable):
    update, reset, new = np.split(variable.numpy(), 3, axis=-1)
    return np.concatenate([reset, update, new], axis=-1)


def copy_dense(dense, linear):
    copy(dense.kernel.numpy().T, linear.weight)
    copy(dense.bias, linear.bias)


def copy(values, parameter):
    parameter.copy_(torch.from_numpy(np.array(values)))
