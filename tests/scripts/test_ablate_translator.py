import json

import pytest

import tf_models.tasks.translation.trials as translation_trials
from scripts import ablate_translator
from scripts.ablate_translator import show
from tests.support.commands import TINY


def test_a_row_for_each_ingredient(table, call, tmp_path):
    figure = tmp_path / "ingredients.png"
    result = call(
        "ablate_translator",
        "--corpus", table, *TINY, "--without", "dropout", "--epochs", 2, "--averaged", 2,
        "--repeats", 1, "--run-dir", tmp_path / "ablation", "--output", figure,
    )  # fmt: skip

    assert result.status == 0
    *_, header, whole, beam, averaging, dropout, output = result.out.splitlines()
    assert header.split() == ["validation", "BLEU", "mean", "difference", "of", "each", "seed"]
    assert whole.startswith("all ingredients")
    assert beam.startswith("without beam search")
    assert averaging.startswith("without averaging")
    assert dropout.startswith("without dropout")
    assert output == str(figure)
    assert figure.read_bytes().startswith(b"\x89PNG")
    dropouts = {"all-ingredients-0": 0.3, "without-dropout-0": 0.1}
    assert {path.name for path in (tmp_path / "ablation").iterdir()} == set(dropouts)
    for name, rate in dropouts.items():
        config = json.loads((tmp_path / "ablation" / name / "config.json").read_text())
        assert (config["model"]["dropout"], config["seed"]) == (rate, 0)


def test_means_and_differences(capsys):
    show({"all ingredients": [30.0, 33.0], "without dropout": [29.0, 31.5]}, None)

    _, header, whole, dropout = capsys.readouterr().out.splitlines()
    assert header.index("mean") < header.index("difference") < header.index("of each seed")
    assert whole.split() == ["all", "ingredients", "31.50", "30.00", "33.00"]
    assert dropout.split() == ["without", "dropout", "30.25", "-1.25", "29.00", "31.50"]


@pytest.mark.parametrize(("repeats", "seeds"), [(1, [4]), (2, [4, 5])])
def test_a_run_for_each_seed(repeats, seeds, table, call, tmp_path, monkeypatch):
    trained = []

    def train(run_dir, corpus, settings, seed, **options):
        trained.append((run_dir.name, seed))

    monkeypatch.setattr(translation_trials, "train_trial", train)
    monkeypatch.setattr(ablate_translator, "measure_trial", lambda name, *_: {name: 1.0})
    options = ["--without", "dropout", "--repeats", repeats, "--seed", 4]
    result = call("ablate_translator", "--corpus", table, "--run-dir", tmp_path / "r", *options)
    assert result.status == 0
    names = ["all-ingredients", "without-dropout"]
    assert trained == [(f"{name}-{seed}", seed) for seed in seeds for name in names]


def test_runs_go_into_no_other_run(run_dir, table, call):
    before = sorted(run_dir.iterdir())
    result = call("ablate_translator", "--corpus", table, "--run-dir", run_dir)
    assert "holds a run itself; name another folder" in result.complaint
    assert sorted(run_dir.iterdir()) == before


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--without", "salt"], "an ingredient must be one of dropout, "),
        (["--repeats", 0], "--repeats must be at least 1; received 0"),
        (["--output", "ingredients.doc"], "ingredients.doc"),
    ],
)
def test_bad_options(options, complaint, table, call, tmp_path):
    result = call("ablate_translator", "--corpus", table, "--run-dir", tmp_path / "r", *options)
    assert complaint in result.complaint
    assert not (tmp_path / "r").exists()
