"""Every public model in every ordinary use of Keras: the table of docs/keras.md.

Each function below the heading "uses" is a row. It works for a model, or it is refused in one
sentence, before anything is computed.
"""

import json
import subprocess
import sys
from pathlib import Path
from unittest import mock

import keras
import numpy as np
import pytest
import tensorflow as tf

from tests.support.eager import eagerly
from tests.support.public_models import CASES, Case
from tf_models.errors import InputError

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "keras.md"

REFUSED = {"a": "has no classes to weigh; give sample_weight"}


def compiled(case: Case, **options) -> keras.Model:
    keras.utils.set_random_seed(0)
    model = case.make()
    model.compile("sgd", **options)
    return model


def loss_of(case: Case):
    """A loss of Keras' that suits the labels."""
    if case.loss == "mse":
        return "mse"
    return keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def first(outputs):
    """Logits or images, without attention weights."""
    return outputs[0] if isinstance(outputs, tuple | list) else outputs


def with_targets(case: Case) -> tuple:
    return (case.x, case.x) if case.y is None else case.data()


def weights_of(model) -> np.ndarray:
    return np.concatenate([np.ravel(weight) for weight in model.get_weights()])


# --- uses


def arrays(case, folder):
    """`fit`, `evaluate` and `predict` with arrays."""
    model = compiled(case)
    before = weights_of(model)
    model.fit(*case.data(), verbose=0)
    assert not np.array_equal(before, weights_of(model))
    assert np.isfinite(model.evaluate(*case.data(), verbose=0)).all()
    assert len(first(model.predict(case.inputs, verbose=0))) == 4


def data_sets(case, folder):
    """The same with a `tf.data.Dataset`, for `predict` with the targets in it."""
    model = compiled(case)
    data = case.data() if case.y is not None else case.x
    batches = tf.data.Dataset.from_tensor_slices(data).batch(2)
    model.fit(batches, verbose=0)
    assert np.isfinite(model.evaluate(batches, verbose=0)).all()
    assert len(first(model.predict(batches, verbose=0))) == 4


def dictionaries(case, folder):
    """Batches that are dictionaries, by the names of arguments; other names are refused."""
    model = compiled(case)
    batches = tf.data.Dataset.from_tensor_slices(case.named()).batch(4)
    named = model.evaluate(batches, return_dict=True, verbose=0)
    if not case.is_random:
        in_order = model.evaluate(*case.data(), return_dict=True, verbose=0)
        assert named == pytest.approx(in_order, rel=1e-5)
    wrong = tf.data.Dataset.from_tensor_slices({"pt": case.named()[case.names[0]]}).batch(4)
    with pytest.raises(InputError, match=f"takes {', '.join(case.names)}.*received pt"):
        model.fit(wrong, verbose=0)


def loss_first(case, folder):
    """`loss, … = evaluate(…)`: values in the order of `metrics_names`, the loss first."""
    model = compiled(case)
    values = np.atleast_1d(model.test_on_batch(*with_targets(case)))
    assert model.metrics_names[0] == "loss"
    assert len(values) == len(model.metrics_names)
    shown = {name: float(value) for name, value in model.get_metrics_result().items()}
    assert dict(zip(model.metrics_names, values, strict=True)) == pytest.approx(shown)


def loss_of_compile(case, folder):
    """A loss given to `compile`, in place of the model's own."""
    model = compiled(case, loss=loss_of(case), metrics=["mse"] if case.loss == "mse" else None)
    shown = model.fit(*case.data(), verbose=0).history
    assert list(shown) == (["loss", "mse"] if case.loss == "mse" else ["loss"])
    if case.loss == "mse":
        assert shown["loss"] == pytest.approx(shown["mse"], rel=1e-5)


def metrics_of_compile(case, folder):
    """`metrics=` beside the model's own loss."""
    name = "mse" if case.loss == "mse" else "sparse_categorical_accuracy"
    model = compiled(case, metrics=[name])
    shown = model.fit(*case.data(), verbose=0).history
    assert {"loss", name} <= shown.keys()
    if case.loss == "mse":
        assert 0 < shown[name][0] < 1


def sample_weights(case, folder):
    """`sample_weight`: a factor of each example's loss, and of nothing else."""
    model = compiled(case)
    data = with_targets(case)
    assert (
        model.evaluate(*data, sample_weight=np.zeros(4), return_dict=True, verbose=0)["loss"] == 0
    )
    model.fit(*data, sample_weight=np.arange(4.0), verbose=0)
    if case.y is None:
        with pytest.raises(InputError, match="sample_weight needs targets"):
            model.fit(case.x, sample_weight=np.ones(4), verbose=0)
    if not case.is_random:
        plain = model.evaluate(*data, return_dict=True, verbose=0)
        twice = model.evaluate(*data, sample_weight=np.full(4, 2.0), return_dict=True, verbose=0)
        assert twice == pytest.approx(plain | {"loss": 2 * plain["loss"]}, rel=1e-5)


def class_weights(case, folder):
    """`class_weight`."""
    model = compiled(case)
    plain = model.fit(*case.data(), verbose=0).history["loss"][0]
    model = compiled(case)
    triple = model.fit(*case.data(), class_weight=dict.fromkeys(range(3), 3.0), verbose=0)
    assert triple.history["loss"][0] == pytest.approx(3 * plain, rel=1e-5)


def validation_weights(case, folder):
    """`validation_data` with weights."""
    data = with_targets(case)
    shown = compiled(case).fit(*data, validation_data=(*data, np.zeros(4)), verbose=0).history
    assert shown["val_loss"] == [0]


def regularisers(case, folder):
    """Regularisers of weights, and `add_loss`."""
    model = compiled(case)
    weight = model.trainable_variables[0]
    before = model.evaluate(*case.data(), return_dict=True, verbose=0)["loss"]
    weight.regularizer = keras.regularizers.L2(1e4)
    after = model.evaluate(*case.data(), return_dict=True, verbose=0)["loss"]
    expected = 1e4 * float(np.sum(np.square(weight)))
    assert after - before == pytest.approx(expected, rel=0.02)
    size = float(np.abs(weight).sum())
    model.fit(*case.data(), verbose=0)
    assert float(np.abs(weight).sum()) != size


def integers(case, folder):
    """Ids, labels and binary images of any integer type."""
    model = compiled(case)
    if not case.is_random:
        expected = model.evaluate(*case.data(), return_dict=True, verbose=0)["loss"]
    for dtype in (np.uint8, np.int16, np.int64):
        data = keras.tree.map_structure(lambda part, to=dtype: part.astype(to), case.data())
        found = model.test_on_batch(*data, return_dict=True)["loss"]
        assert np.isfinite(found) if case.is_random else found == pytest.approx(expected, rel=1e-5)
        model.reset_metrics()
    model.train_on_batch(*data)


def sixteen_bits(case, folder):
    """The policies "mixed_float16" and "mixed_bfloat16"."""
    for policy in ("mixed_float16", "mixed_bfloat16"):
        keras.config.set_dtype_policy(policy)
        try:
            history = compiled(case).fit(*case.data(), verbose=0).history
        finally:
            keras.config.set_dtype_policy("float32")
        assert np.isfinite([*history.values()]).all()


def lora(case, folder):
    """`enable_lora` on a layer of the model."""
    keras.utils.set_random_seed(0)
    model = case.make()
    kinds = (keras.layers.Dense, keras.layers.Embedding)
    layer = next(layer for layer in model._flatten_layers() if type(layer) in kinds)
    layer.enable_lora(2)
    model.compile("sgd")
    before = weights_of(model)
    model.fit(*case.data(), verbose=0)
    assert not np.array_equal(weights_of(model), before)


def quantised(case, folder):
    """`quantize("int8")`: outputs as before."""
    keras.utils.set_random_seed(0)
    model = case.make()
    outputs = []
    for _ in range(2):
        if case.is_random:
            model.reseed(1)
        outputs.append(np.ravel(first(model.predict(case.inputs, verbose=0))))
        if len(outputs) == 1:
            with mock.patch("gc.collect"):  # Keras would call it for each layer, seconds long here
                model.quantize("int8")
    before, after = outputs
    assert np.corrcoef(before, after)[0, 1] > 0.99


def configuration(case, folder):
    """`summary`, `get_config`, `from_config` and `clone_model`."""
    model = case.make()
    lines = []
    model.summary(print_fn=lambda line, *_, **__: lines.append(line))
    assert f"{model.count_params():,}" in "\n".join(lines)
    for other in (type(model).from_config(model.get_config()), keras.models.clone_model(model)):
        assert [w.shape for w in other.weights] == [w.shape for w in model.weights]


def saving(case, folder):
    """`save` and `load_model`, with the optimizer."""
    model = compiled(case)
    model.fit(*case.data(), verbose=0)
    model.save(folder / "model.keras")
    loaded = keras.models.load_model(folder / "model.keras")
    np.testing.assert_array_equal(weights_of(loaded), weights_of(model))
    assert int(loaded.optimizer.iterations) == int(model.optimizer.iterations) == 1
    if not case.is_random:
        ours, theirs = (first(one.predict(case.inputs, verbose=0)) for one in (model, loaded))
        np.testing.assert_allclose(theirs, ours, atol=1e-6)
    loaded.fit(*case.data(), verbose=0)


def checkpoints(case, folder):
    """`tf.train.Checkpoint` and `CheckpointManager`, as the tutorial prints them."""
    keras.utils.set_random_seed(0)
    model, optimizer = case.make(), keras.optimizers.Adam()
    model.compile(optimizer)
    model.fit(*case.data(), verbose=0)
    ckpt = tf.train.Checkpoint(transformer=model, optimizer=optimizer)
    tf.train.CheckpointManager(ckpt, str(folder), max_to_keep=5).save()

    keras.utils.set_random_seed(1)
    other, new_optimizer = case.make(), keras.optimizers.Adam()
    other.compile(new_optimizer)
    new_optimizer.build(other.trainable_variables)
    ckpt = tf.train.Checkpoint(transformer=other, optimizer=new_optimizer)
    ckpt.restore(tf.train.latest_checkpoint(str(folder))).assert_existing_objects_matched()
    pairs = zip(
        (*other.variables, *new_optimizer.variables),
        (*model.variables, *optimizer.variables),
        strict=True,
    )
    for restored, saved in pairs:
        np.testing.assert_array_equal(restored, saved)


def callbacks(case, folder):
    """Callbacks: early stopping, checkpoints, learning rate, history."""
    table = folder / "history.csv"
    used = [
        keras.callbacks.EarlyStopping("loss", patience=5),
        keras.callbacks.ReduceLROnPlateau("loss", patience=0, min_delta=1e9),
        keras.callbacks.TerminateOnNaN(),
        keras.callbacks.CSVLogger(table),
        keras.callbacks.ModelCheckpoint(
            folder / "best.weights.h5", "loss", save_best_only=True, save_weights_only=True
        ),
    ]
    model = compiled(case)
    model.fit(*case.data(), epochs=2, callbacks=used, verbose=0)
    assert len(table.read_text().splitlines()) == 3
    assert float(model.optimizer.learning_rate) < 0.01
    assert (folder / "best.weights.h5").exists()


def in_another_model(case, folder):
    """As a layer of a functional model."""
    model = case.make()
    inputs = model.symbolic_inputs()
    outer = keras.Model(inputs, first(model(inputs)))
    data = case.inputs if isinstance(case.inputs, tuple) else (case.inputs,)
    found = outer.predict(list(data) if len(data) > 1 else data[0], verbose=0)
    if not case.is_random:
        np.testing.assert_allclose(found, first(model.predict(case.inputs, verbose=0)), atol=1e-6)


def export(case, folder):
    """`export` after `fit`, for serving."""
    model = compiled(case)
    model.fit(*case.data(), verbose=0)
    model.export(folder / "served", verbose=False)
    served = tf.saved_model.load(str(folder / "served"))
    specs = [tensor.dtype for tensor in model.symbolic_inputs()]
    data = case.inputs if isinstance(case.inputs, tuple) else (case.inputs,)
    tensors = [tf.constant(part, dtype) for part, dtype in zip(data, specs, strict=True)]
    outputs = served.serve(tensors if len(tensors) > 1 else tensors[0])
    assert outputs.shape[0] == 4
    if not case.is_random:
        np.testing.assert_allclose(outputs, first(model(case.inputs)), atol=1e-5)


def two_replicas(case, folder):
    """`fit` and a call under `MirroredStrategy`: see tests/support/replicas.py."""


USES = {  # rows of the table
    "`fit`, `evaluate`, `predict` with arrays": arrays,
    "the same with data sets": data_sets,
    "dictionaries, by the names of arguments": dictionaries,
    "`loss, … = evaluate(…)`": loss_first,
    "a loss of `compile`": loss_of_compile,
    "`metrics` of `compile`, beside the own loss": metrics_of_compile,
    "`sample_weight`": sample_weights,
    "`class_weight`": class_weights,
    "`validation_data` with weights": validation_weights,
    "regularisers, `add_loss`": regularisers,
    "integers of any type": integers,
    "`mixed_float16`, `mixed_bfloat16`": sixteen_bits,
    "LoRA": lora,
    '`quantize("int8")`': quantised,
    "`summary`, `get_config`, `clone_model`": configuration,
    "`save`, `load_model`": saving,
    "`tf.train.Checkpoint`": checkpoints,
    "callbacks": callbacks,
    "a layer of a functional model": in_another_model,
    "`export` after `fit`": export,
    "two replicas": two_replicas,
}
# Graphs take seconds to trace.
SLOW = (export, two_replicas)
IN_THE_FAST_SET = ("Transformer", "TransformerClassifier", "Autoencoder", "VAE")
QUICK = [use for use in USES.values() if use not in SLOW]


def refusal(use, model: str) -> str | None:
    """The key of `REFUSED` for what a model refuses."""
    if use is class_weights and model not in ("TransformerClassifier", "VisionTransformer"):
        return "a"
    return None


def check(use, model, folder):
    refused = refusal(use, model)
    if refused is None:
        use(CASES[model], folder)
        return
    with pytest.raises(InputError, match=REFUSED[refused]):
        use(CASES[model], folder)


def mark_slow(model: str):
    """A model whose steps take long line by line, or that another one stands for, is slow."""
    return model if model in IN_THE_FAST_SET else pytest.param(model, marks=pytest.mark.slow)


@pytest.mark.parametrize("model", [mark_slow(name) for name in CASES])
@pytest.mark.parametrize("use", QUICK, ids=lambda use: use.__name__)
def test_use(use, model, tmp_path):
    with eagerly():
        check(use, model, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("model", CASES)
@pytest.mark.parametrize("use", SLOW, ids=lambda use: use.__name__)
def test_slow_use(use, model, tmp_path):
    check(use, model, tmp_path)


@pytest.fixture(scope="module")
def on_two_replicas():
    """What tests/support/replicas.py prints."""
    command = [sys.executable, "-m", "tests.support.replicas"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.processes
@pytest.mark.parametrize("model", CASES)
def test_two_replicas(on_two_replicas, model):
    assert on_two_replicas["failures"][model] is None, on_two_replicas["failures"][model]


@pytest.mark.processes
def test_a_gradient_is_clipped_whole_on_two_replicas(on_two_replicas):
    assert len(on_two_replicas["distances"]) == 4
    assert all(distance < 1e-5 for distance in on_two_replicas["distances"].values())


@pytest.mark.processes
def test_patience_measures_on_two_replicas(on_two_replicas):
    assert on_two_replicas["measures"]


def listed(models) -> str:
    return ", ".join(f"`{name}`" for name in models)


def table() -> str:
    """The table of docs/keras.md."""
    lines = ["| | models |", "|---|---|"]
    for row, use in USES.items():
        accepting = [name for name in CASES if refusal(use, name) is None]
        models = "all" if len(accepting) == len(CASES) else listed(accepting)
        lines.append(f"| {row} | {models} |")
    return "\n".join(lines)


def test_the_table_in_the_docs_is_this_one():
    text = PAGE.read_text(encoding="utf-8")
    assert table() in text
    assert listed(CASES) in text
    assert all(sentence in text for sentence in REFUSED.values())


if __name__ == "__main__":
    print(table())
