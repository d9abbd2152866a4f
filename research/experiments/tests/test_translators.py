"""Experiments with translators: the settings that they compare, and one run from end to end."""

import pytest
import tensorflow as tf

from research.experiments import seconds, variants
from research.experiments.__main__ import RECIPES, make_parser
from research.experiments.claims import CLAIMS, SHORT
from research.experiments.comparison import plot_bleu_by_length
from research.experiments.majority import accuracy
from research.results import Results
from tf_models.data.annotated import AnnotatedPair
from tf_models.errors import InputError
from tf_models.translation.settings import VARIANTS, preset

TINY = [
    *("pieces=200", "epochs=1", "batch_tokens=256", "d_model=16", "warmup_steps=20"),
    "optimizer=adam",  # compiled sooner than Muon
]


def settings(name, *words):
    (recipe,) = (one for one in RECIPES if one.name == name)
    return recipe(make_parser().parse_args([name, *words])).settings()


def test_variants_differ_from_the_original_in_one_thing():
    found = settings("variants", "--corpus", "deu.txt")
    original = found.pop("original")
    assert found.pop(variants.LONGER) == original.changed(epochs=20)
    assert [*found] == [*VARIANTS, "adam", "adafactor"]
    assert all(found[name] == original.changed(architecture=name) for name in VARIANTS)
    changed = {"optimizer": "adafactor", "peak": 0.1, "weight_decay": 0.0}
    assert found["adafactor"] == original.changed(**changed)


def test_each_claim_changes_its_own_settings():
    toy, found = preset("toy"), settings("claims")
    assert found["as it is"] == toy
    assert "2 layers" not in found  # as it is
    assert found["6 layers"] == toy.changed(num_layers=6)
    assert found["without positions"] == toy
    assert found[f"trained on up to {SHORT} tokens"].batching.max_lengths == (SHORT, SHORT)
    assert len(found) == sum(map(len, CLAIMS.values()))


def test_what_is_asked_for():
    found = settings("claims", "--claims", "depth", "--set", "epochs=1", "optimizer=adam")
    assert list(found) == ["as it is", "1 layer", "4 layers", "6 layers"]
    assert {one.training.epochs for one in found.values()} == {1}
    with pytest.raises(InputError, match="--claims must be of scaling, .*; received salt"):
        settings("claims", "--claims", "salt")
    with pytest.raises(InputError, match="salt"):
        settings("claims", "--set", "salt=1")


def test_settings_are_changed_as_far_as_a_model_knows_them():
    words = ["--models", "transformer", "rnn", "--set", "units=7", "num_layers=1"]
    found = settings("comparison", *words)
    assert {(one.training.epochs, one.training.patience) for one in found.values()} == {(3, 3)}
    assert found["transformer"].model.num_layers == 1
    assert found["rnn"].model.units == 7


@pytest.mark.slow
def test_claims_from_end_to_end(table, experiment, tmp_path):
    command = [
        *("claims", "--corpus", table, "--claims", "positions"),
        *("--set", *TINY, "--run-dir", tmp_path),
    ]
    lines = experiment(*command)
    head, *rows = lines[-6:]
    assert "without positions" in head
    assert [row.split("  ")[0] for row in rows][:3] == ["minutes", "exact, %", "BLEU"]
    assert experiment(*command)[-6:] == lines[-6:]  # trained already


@pytest.mark.slow
def test_comparison_from_end_to_end(table, experiment, tmp_path):
    models = ["rnn", "rnn-attention"]
    lines = experiment(
        *("comparison", "--corpus", table, "--models", *models, "--run-dir", tmp_path),
        *("--set", *TINY, "units=8"),
    )
    assert any(line.split() == models for line in lines)
    assert (tmp_path / "comparison.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_variants_from_end_to_end(table, experiment, tmp_path, monkeypatch):
    losses = {0.004: 3.0, 0.008: 2.0, 0.016: 1.0, 0.032: 1.5}  # the largest rate of three is best
    monkeypatch.setattr(variants, "final_loss", lambda path: losses[float(path.name)])
    chosen = ["--networks", "original", "multi-query", "--seeds", "0,1"]
    settings = ["--set", *TINY, "epochs=2"]
    experiment("variants", "--corpus", table, *chosen, *settings, "--run-dir", tmp_path)
    command, *rows = (tmp_path / "variants.csv").read_text("utf-8").splitlines()
    assert command.startswith("# python -m research.experiments variants --seeds 0,1")
    assert [row.split(",")[0] for row in rows] == ["network", *["original", "multi-query"] * 2]
    assert all(row.split(",")[2] == "0.016" for row in rows[1:])
    trained = {folder.name: len([*folder.iterdir()]) for folder in tmp_path.glob("original-*")}
    assert trained == {"original-0": 4, "original-1": 1}


def test_bleu_is_drawn_in_the_middle_of_its_lengths():
    found = Results()
    found.add("one", {"BLEU": 1.0, "BLEU of 1-5 words (30)": 90, "BLEU of 6-10 words (2)": 80})
    (axes,) = plot_bleu_by_length(found).axes
    assert axes.lines[0].get_xydata().tolist() == [[3, 90], [8, 80]]


def test_the_majority_of_the_same_facts_is_guessed():
    def pair(adjective, genders, reference):
        known = {"adjective": adjective, "genders": genders, "reference": reference}
        return AnnotatedPair(**{**dict.fromkeys(AnnotatedPair._fields, ""), **known})

    train = [pair("wide", "m f", "second noun")] * 2 + [pair("tired", "n f", "first noun")]
    test = [pair("wide", "m n", "second noun"), pair("tired", "n f", "first noun")]
    test += [pair("green", "f m", "first noun")]  # unseen: as most of them
    assert accuracy(lambda one: one.adjective, train, test) == pytest.approx(200 / 3)


@pytest.mark.parametrize("model", ["transformer", "rnn-attention"])
def test_a_step_of_any_length_has_a_gradient_for_each_weight(model):
    step = seconds.training_step(model, 5, seed=0)
    for length in (2, 5):
        assert seconds.milliseconds(step, length, 2) > 0
    found = step(*(tf.ones((2, n), tf.int32) for n in (5, 6)))
    assert all(float(tf.norm(one)) >= 0 for one in found)
    assert len(found) > 10
