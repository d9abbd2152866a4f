"""Outputs for a fixed input: what counts as changed code, and what does not."""

import json

import numpy as np
import pytest

from tests.support.small_training import SmallStep, small_training
from tf_models.training.checkpoints import load_average, load_model
from tf_models.training.outputs import change_of_outputs, describe_outputs

VALUES = np.random.default_rng(0).normal(size=(2, 3, 4)).astype(np.float32)


def change(by, compute_dtype="float32"):
    said = json.loads(json.dumps(describe_outputs(VALUES, compute_dtype)))
    return change_of_outputs(said, lambda: VALUES + by * VALUES.std())


@pytest.mark.parametrize(
    ("by", "compute_dtype"),
    [(0, "float32"), (0.005, "float32"), (0.03, "bfloat16"), (0.03, "float16")],
)
def test_the_last_digits_may_differ(by, compute_dtype):
    assert change(by, compute_dtype) is None


@pytest.mark.parametrize(("by", "compute_dtype"), [(0.02, "float32"), (0.1, "bfloat16")])
def test_more_is_said_with_its_size(by, compute_dtype):
    assert f"differ by {100 * by:.0f} % of their spread" in change(by, compute_dtype)


def test_nothing_to_compare_is_no_change():
    said = describe_outputs(VALUES, "float32")
    assert change_of_outputs(None, lambda: VALUES) is change_of_outputs(said, None) is None
    assert "are 12 numbers and were 24" in change_of_outputs(said, lambda: VALUES[0])


class Code:
    """The code of a model of two numbers, w: what it gives for a fixed input is w times slope."""

    slope = 1.0

    def outputs_of(self, step):
        return lambda: self.slope * step.w.numpy()


def test_a_run_whose_code_changed_says_so(tmp_path, monkeypatch, capsys):
    code = Code()
    original = SmallStep.__init__

    def init(step):
        original(step)
        step.outputs = code.outputs_of(step)

    monkeypatch.setattr(SmallStep, "__init__", init)
    training = small_training(tmp_path / "run")
    assert training.loop.fit(2)

    def lines():
        """What resuming says, and what loading each checkpoint says."""
        said = []
        small_training(tmp_path / "run", report=said.append)
        step = SmallStep()
        for which in ("latest", "best", "epochs/ckpt-3"):
            load_model(step.model, training.run, which, step.outputs)
            np.testing.assert_allclose(step.outputs(), code.slope * step.w.numpy())
        step.model.trainable_variables = step.model.variables
        load_average(step.model, training.run, step.outputs)
        return said[1:], capsys.readouterr().err.splitlines()

    assert lines() == ([], [])
    code.slope = 1.5
    resuming, loading = lines()
    assert resuming == [
        "not what an uninterrupted run would give: the model's code has changed since: its outputs "
        f"for a fixed input {resuming[0].rpartition('input ')[2]}"
    ]
    assert "of their spread" in resuming[0]
    assert len(loading) == 4
    assert all(line.startswith(f"{tmp_path / 'run'}: the model's code") for line in loading)


def test_a_checkpoint_that_says_nothing_of_them_is_loaded_in_silence(tmp_path, capsys):
    training = small_training(tmp_path / "run")
    assert training.loop.fit(1)
    step = SmallStep()
    load_model(step.model, training.run, "latest", lambda: np.zeros(2))
    assert not capsys.readouterr().err
