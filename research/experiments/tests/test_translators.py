"""Recipes of translators: which settings they compare, and a run of each from end to end."""

import csv
import json
from dataclasses import replace
from types import SimpleNamespace

import pytest
import tensorflow as tf

from research.experiments import seconds, variants
from research.experiments.ablation import INGREDIENTS, WHOLE, Ablation
from research.experiments.claims import CLAIMS, SHORT, Claims
from research.experiments.comparison import Comparison, plot_bleu_by_length
from research.experiments.dot_products import softmax_of_scores
from research.experiments.recipe import Results, Run
from research.experiments.sinks import CHANGES, Sinks
from research.experiments.variants import Variants
from tests.support.commands import TINY
from tf_models.errors import InputError
from tf_models.tasks.translation import evaluation
from tf_models.tasks.translation.architectures import NETWORKS
from tf_models.tasks.translation.presets import preset
from tf_models.tasks.translation.translator import Translator

RECURRENT = ["--units", 8, "--d-model", 8, *TINY[8:]]  # all but a Transformer's sizes


def settings(recipe, *words):
    return recipe.settings(recipe.make_parser().parse_args(list(words)))


# --- variants


def test_variants_differ_from_the_original_in_one_thing():
    found = settings(Variants(), "--corpus", "deu.txt")
    original = found.pop("original")
    assert [*found] == [*NETWORKS, "adam", "adafactor"]
    assert all(found[name] == replace(original, architecture=name) for name in NETWORKS)
    assert found["adafactor"] == original.changed(optimizer="adafactor", peak=0.01)


@pytest.mark.slow
def test_variants_from_end_to_end(table, experiment, tmp_path, monkeypatch):
    monkeypatch.setattr(variants, "NETWORKS", {"multi-query": NETWORKS["multi-query"]})
    monkeypatch.setattr(variants, "OPTIMIZERS", {"adafactor": 0.01})
    options = [*TINY, "--epochs", 1, "--run-dir", tmp_path / "runs"]
    result = experiment("variants", "--corpus", table, *options)
    assert result.status == 0
    rows = csv.DictReader((tmp_path / "runs" / "variants.csv").read_text("utf-8").splitlines())
    found = {row["network"]: row for row in rows}
    assert {name: row["cached of a token"] for name, row in found.items()} == {
        "original": "32",
        "multi-query": "16",
        "adafactor": "32",
    }
    shortest = min(found.values(), key=lambda row: float(row["seconds"]))
    assert shortest["loss, same steps"] == shortest["loss, same time"]


# --- ablation


def test_an_ingredient_is_as_the_article_has_it_and_all_else_stays():
    best, article = preset("best").changed(epochs=20).flat(), preset("article").flat()
    found = settings(Ablation())

    assert list(found) == [WHOLE, *(f"without {name}" for name in INGREDIENTS)]
    for ingredient, names in INGREDIENTS.items():
        expected = {**best, **{name: article[name] for name in names}}
        assert found[f"without {ingredient}"].flat() == expected != best


def test_ingredients_that_are_asked_for():
    assert list(settings(Ablation(), "--without", "dropout")) == [WHOLE, "without dropout"]
    with pytest.raises(InputError, match="--without must be of dropout, .*; received salt"):
        settings(Ablation(), "--without", "salt")
    assert list(settings(Ablation(), "--preset", "article")) == [WHOLE]  # nothing differs


def test_how_each_row_is_decoded(monkeypatch, tmp_path):
    """BLEU is made up: of a good beam, a better average, and both; the best epoch flatters."""

    def evaluate(checkpoint, pairs, beam_size):
        of_checkpoint = {"latest": 0, "average": 10, "best": 100}
        return SimpleNamespace(bleu=of_checkpoint[checkpoint] + beam_size), []

    monkeypatch.setattr(evaluation, "evaluate_translator", evaluate)
    monkeypatch.setattr(Translator, "load", lambda run_dir, checkpoint: checkpoint)
    monkeypatch.setattr(Ablation, "corpus", lambda *_: type("", (), {"validation": []}))

    def rows(label, averaged, beam_size):
        words = ["--average-last-n", str(averaged), "--beam-size", str(beam_size)]
        recipe = Ablation()
        measure = recipe.measurement(recipe.make_parser().parse_args(words))
        return {
            row: values["validation BLEU"]
            for row, values in measure(Run(label, 0, tmp_path)).items()
        }

    assert rows(WHOLE, 10, 5) == {WHOLE: 15, "without averaging": 5, "without beam search": 11}
    assert rows("without dropout", 10, 5) == {"without dropout": 15}
    assert rows(WHOLE, 0, 1) == {WHOLE: 1}


def test_ablation_from_end_to_end(table, experiment, tmp_path):
    figure, folder = tmp_path / "ingredients.png", tmp_path / "ablation"
    result = experiment(
        "ablation", "--corpus", table, *TINY, "--without", "dropout", "--epochs", 2,
        "--average-last-n", 2, "--run-dir", folder, "--seeds", "4", "--output", figure,
    )  # fmt: skip

    assert result.status == 0
    *_, header, whole, beam, averaging, dropout, own, output = result.out.splitlines()
    assert header.split() == ["validation", "BLEU"]
    assert whole.startswith("all ingredients")
    assert beam.startswith("without beam search")
    assert averaging.startswith("without averaging")
    assert dropout.startswith("without dropout")
    assert (own, output) == (f"{folder}/figures/ablation.png", str(figure))
    assert figure.read_bytes().startswith(b"\x89PNG")
    for name, rate in {"all-ingredients-4": 0.3, "without-dropout-4": 0.1}.items():
        config = json.loads((folder / name / "config.json").read_text())
        assert (config["model"]["dropout"], config["seed"]) == (rate, 4)


# --- claims


def test_each_trial_changes_its_own_settings():
    toy, found = preset("toy"), settings(Claims())
    assert found["as it is"] == toy
    assert "2 layers" not in found  # as it is
    assert found["6 layers"] == toy.changed(num_layers=6)
    assert found["1 head"] == toy.changed(num_heads=1)
    assert found["without positions"].architecture.endswith(":PositionlessTransformer")
    assert found["scores not divided by sqrt(d_k)"].architecture.endswith(":UnscaledTransformer")
    assert found[f"trained on up to {SHORT} tokens"].batching.max_lengths == (SHORT, SHORT)
    assert len(found) == sum(map(len, CLAIMS.values()))


def test_claims_that_are_asked_for():
    found = settings(Claims(), "--claims", "depth")
    assert list(found) == ["as it is", "1 layer", "4 layers", "6 layers"]
    with pytest.raises(InputError, match="--claims must be of scaling, .*; received salt"):
        settings(Claims(), "--claims", "salt")
    with pytest.raises(InputError, match="received rnn"):
        settings(Claims(), "--model", "rnn")


def test_claims_from_end_to_end(table, experiment, tmp_path):
    command = [
        *("claims", "--corpus", table, *TINY, "--preset", "article", "--epochs", 1),
        *("--claims", "scaling", "positions", "--run-dir", tmp_path / "claims"),
    ]
    result = experiment(*command)

    assert result.status == 0
    head, *rows = result.out.splitlines()[-7:-1]
    assert "without positions" in head
    assert [row.split("  ")[0] for row in rows][:3] == ["minutes", "exact, %", "BLEU"]
    again = experiment(*command)
    assert "epoch 1/1" not in again.out  # trained already
    assert again.out.splitlines()[-7:] == result.out.splitlines()[-7:]


def test_dot_products_as_the_footnote_says():
    """Variance d_k, and a softmax that has no gradient any more; divided, neither depends on it."""
    for depth in (4, 64, 1024):
        plain, scaled = (softmax_of_scores(depth, scaled=scaled) for scaled in (False, True))
        assert plain["deviation"] == pytest.approx(depth**0.5, rel=0.03)
        assert scaled["deviation"] == pytest.approx(1, rel=0.03)
    small, large = (softmax_of_scores(depth, scaled=False) for depth in (4, 1024))
    assert large["gradient"] < small["gradient"] / 3
    assert large["largest weight"] > 0.9
    one, other = (softmax_of_scores(depth, scaled=True)["gradient"] for depth in (64, 1024))
    assert one == pytest.approx(other, rel=0.02)


def test_dot_products_need_no_training(experiment, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = experiment("dot-products")
    assert result.status == 0
    assert "32.09" in result.out
    assert list(tmp_path.iterdir()) == []


# --- sinks


def test_each_change_is_one_of_its_own():
    found = settings(Sinks())
    assert found["as it is"] == preset("toy")
    assert list(found) == ["as it is", *CHANGES]
    assert found["Adam"].flat() == preset("toy").changed(**CHANGES["Adam"]).flat()
    assert list(settings(Sinks(), "--dropout", "0.1", "--changes", "dropout 0.1")) == ["as it is"]


def test_sinks_from_end_to_end(table, experiment, tmp_path):
    result = experiment(
        *("sinks", "--corpus", table, *TINY, "--epochs", 1, "--changes", "Adam"),
        *("--run-dir", tmp_path / "sinks"),
    )
    assert result.status == 0
    rows = {line[:30].strip(): line[30:].split() for line in result.out.splitlines()}
    assert rows["it -> noun, best head"] == ["-", "-"]  # these sentences are too long for it
    for name in ("encoder 1 on <start>, <end>", "decoder 1 on <start>"):
        assert len(rows[name]) == 2
        assert all(0 <= float(share) <= 1 for share in rows[name])
    assert all(float(length) > 0 for length in rows["length of an embedded token"])


# --- comparison


def test_settings_are_changed_as_far_as_a_model_knows_them():
    words = ["--models", "transformer", "rnn", "--units", "7", "--num-layers", "1"]
    found = settings(Comparison(), *words)
    assert {one.training.epochs for one in found.values()} == {3}
    assert {one.training.patience for one in found.values()} == {3}
    assert found["transformer"].model.num_layers == 1
    assert found["rnn"].model.units == 7


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["rnn"], "two or more"),
        (["rnn", "rnn"], "two or more"),
        (["rnn", "lstm"], "'lstm'"),
        (["rnn", "rnn-attention", "--num-layers", "2"], "has no --num-layers"),
    ],
)
def test_models_that_cannot_be_compared(words, message):
    with pytest.raises(InputError, match=message):
        settings(Comparison(), "--models", *words)


def test_lengths_with_few_sentences_are_not_drawn():
    def points(of_short, count, of_long, few):
        found = Results()
        values = {f"BLEU of 1-5 words ({count})": of_short, f"BLEU of 6-10 words ({few})": of_long}
        found.add("one", {"BLEU": 1.0, **values})
        (axes,) = plot_bleu_by_length(found).axes
        return axes.lines[0].get_xydata().tolist()

    assert points(90.0, 30, 80.0, 30) == [[3, 90], [8, 80]]
    assert points(90.0, 30, 80.0, 2) == [[3, 90]]
    assert points(50.0, 3, float("nan"), 1) == [[3, 50]]  # the largest group


def test_comparison_from_end_to_end(table, experiment, tmp_path):
    folder, models = tmp_path / "comparison", ["rnn", "rnn-attention"]
    compare = [
        *("comparison", "--corpus", table, "--epochs", 1, "--run-dir", folder),
        *("--models", *models, *RECURRENT, "--sentence", "The dog sees the fox.", ""),
    ]
    first = experiment(*compare)
    assert first.status == 0
    drawn = {path.stem for path in (folder / "figures").iterdir()}
    assert {"bleu-by-length", "bleu-by-minutes"} <= drawn
    header = next(line for line in first.out.splitlines() if line.split() == models)
    again = experiment(*compare)
    assert "epoch 1/1" not in again.out  # trained already
    assert again.out.endswith(first.out[first.out.index(header) :])


# --- seconds


def test_seconds_by_length(experiment, tmp_path, monkeypatch):
    timed = []
    monkeypatch.setattr(
        seconds, "milliseconds", lambda step, n, size: timed.append((n, size)) or 2.0 * n
    )
    figure = tmp_path / "seconds.png"
    words = ["--models", "rnn", "--lengths", "5,3", "--batch-size", 2, "--output", figure]
    result = experiment("seconds", *words)
    assert result.status == 0
    assert timed == [(3, 2), (5, 2)]
    rows = [line.split() for line in result.out.splitlines()[-4:]]
    assert rows == [["rnn"], ["3", "tokens", "6"], ["5", "tokens", "10"], [str(figure)]]


@pytest.mark.parametrize("model", ["transformer", "rnn-attention"])
def test_a_step_of_any_length_has_a_gradient_for_each_weight(model):
    step = seconds.training_step(model, 5, seed=0)
    for length in (2, 5):
        assert seconds.milliseconds(step, length, 2) > 0
    found = step(*(tf.ones((2, n), tf.int32) for n in (5, 6)))
    assert all(float(tf.norm(one)) >= 0 for one in found)
    assert len(found) > 10
