"""PyTorch computes the same: the same weights give the same loss and the same train steps."""

import keras
import numpy as np
import pytest
import tensorflow as tf

from research.benchmarks.tutorial import make_train_step as make_tutorial_step
from tf_models.losses import loss_function
from tf_models.transformer.model import Transformer
from tf_models.translation.settings import TranslatorSettings

torch = pytest.importorskip("torch", reason="PyTorch is an optional system")

from research.benchmarks import pytorch_transformer  # noqa: E402 (it imports PyTorch)

SETTINGS = TranslatorSettings().changed(num_layers=2, d_model=16, num_heads=4, dff=32, dropout=0.0)
VOCABULARIES = 50, 60


@pytest.fixture(autouse=True)
def _one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)  # several would wait for each other where other tests run
    yield
    torch.set_num_threads(before)


@pytest.fixture
def models():
    keras.utils.set_random_seed(0)
    model = SETTINGS.model
    sizes = (model.num_layers, model.d_model, model.num_heads, model.dff)
    ours = Transformer(*sizes, *VOCABULARIES, 20, 20, rate=SETTINGS.model.dropout)
    ours.build()
    random = np.random.default_rng(0)
    for weight in ours.trainable_variables:  # biases, too
        weight.assign(weight + random.normal(scale=0.1, size=weight.shape))
    theirs = pytorch_transformer.make_model(SETTINGS, *VOCABULARIES)
    with torch.no_grad():
        copy_weights(ours, theirs)
    return ours, theirs


def copy_weights(ours, theirs):
    copy(ours.encoder.embedding.embeddings, theirs.source.table.weight)
    copy(ours.decoder.embedding.embeddings, theirs.target.table.weight)
    copy_dense(ours.final_layer, theirs.final_layer)
    for a, b in zip(ours.encoder.enc_layers, theirs.encoder.layers, strict=True):
        copy_attention(a.mha, b.self_attn)
        copy_rest(a, b, norms=2)
    for a, b in zip(ours.decoder.dec_layers, theirs.decoder.layers, strict=True):
        copy_attention(a.mha1, b.self_attn)
        copy_attention(a.mha2, b.multihead_attn)
        copy_rest(a, b, norms=3)


def copy(variable, parameter):
    parameter.copy_(torch.from_numpy(np.asarray(variable.numpy())))


def copy_dense(dense, linear):
    linear.weight.copy_(torch.from_numpy(dense.kernel.numpy().T))
    copy(dense.bias, linear.bias)


def copy_attention(mha, attention):
    parts = (mha.wq, mha.wk, mha.wv)
    kernel = np.concatenate([part.kernel.numpy().T for part in parts])
    attention.in_proj_weight.copy_(torch.from_numpy(kernel))
    bias = np.concatenate([part.bias.numpy() for part in parts])
    attention.in_proj_bias.copy_(torch.from_numpy(bias))
    copy_dense(mha.dense, attention.out_proj)


def copy_rest(ours, theirs, norms):
    for dense, linear in zip(ours.ffn.layers, (theirs.linear1, theirs.linear2), strict=True):
        copy_dense(dense, linear)
    for i in range(1, norms + 1):
        copy(getattr(ours, f"layernorm{i}").gamma, getattr(theirs, f"norm{i}").weight)
        copy(getattr(ours, f"layernorm{i}").beta, getattr(theirs, f"norm{i}").bias)


def make_batch(seed=0):
    """Eight pairs of different lengths, padded."""
    random = np.random.default_rng(seed)
    sides = []
    for vocabulary, longest in zip(VOCABULARIES, (12, 15), strict=True):
        side = random.integers(1, vocabulary, (8, longest))
        lengths = random.integers(3, longest + 1, (8, 1))
        lengths[0] = longest
        sides.append(np.where(np.arange(longest) < lengths, side, 0))
    return sides


def test_the_same_loss(models):
    ours, theirs = models
    inp, tar = make_batch()
    logits, _ = ours(tf.constant(inp), tf.constant(tar[:, :-1]), training=False)
    expected = float(loss_function(tf.constant(tar[:, 1:]), logits))
    total = theirs.eval().loss(torch.from_numpy(inp), torch.from_numpy(tar)).item()
    loss = total / np.count_nonzero(tar[:, 1:])

    assert loss == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(("shards", "compiled"), [(1, False), (3, False), (2, True)])
def test_the_same_steps(models, shards, compiled):
    """Adam, its schedule, the gradients of every weight: five train steps of the tutorial."""
    ours, theirs = models
    if compiled:
        theirs.compile(dynamic=True)
    tutorial_step = make_tutorial_step(ours, SETTINGS.model.d_model)
    step = pytorch_transformer.TrainStep(theirs, SETTINGS, bfloat16=False, shards=shards)
    for number in range(5):
        inp, tar = make_batch(number % 2)
        expected = float(tutorial_step(tf.constant(inp, tf.int32), tf.constant(tar, tf.int32)))
        if compiled:  # it changes no weight
            step.compile(torch.from_numpy(inp), torch.from_numpy(tar))
        loss = step(torch.from_numpy(inp), torch.from_numpy(tar)).item()

        assert loss == pytest.approx(expected, abs=1e-4)


def test_bfloat16(models):
    _, theirs = models
    inp, tar = (torch.from_numpy(ids) for ids in make_batch())
    step = pytorch_transformer.TrainStep(theirs, SETTINGS, bfloat16=True)
    expected = theirs.loss(inp, tar).item() / np.count_nonzero(tar[:, 1:])
    loss = step(inp, tar).item()

    assert loss == pytest.approx(expected, rel=0.02)
    assert loss != expected
    assert all(weight.dtype == torch.float32 for weight in theirs.parameters())


def test_dropout_is_where_the_tutorial_has_it():
    model = pytorch_transformer.make_model(SETTINGS.changed(dropout=0.1), *VOCABULARIES)
    rates = [module.p for module in model.modules() if isinstance(module, torch.nn.Dropout)]
    attention = [m for m in model.modules() if isinstance(m, torch.nn.MultiheadAttention)]

    # the two embeddings; then two for each encoder layer and three for each decoder layer
    assert rates == [0.1] * (2 + 2 * 2 + 2 * 3)
    assert [block.dropout for block in attention] == [0.0] * (2 + 2 * 2)
