import json

import pytest
from commands import TINY


def test_a_row_for_each_ingredient(table, call, tmp_path):
    figure = tmp_path / "ingredients.png"
    arguments = [
        "--corpus", table, *TINY, "--without", "dropout", "--epochs", 2, "--averaged", 2,
        "--repeats", 2, "--run-dir", tmp_path / "ablation", "--output", figure,
    ]  # fmt: skip
    result = call("ablate_translator", *arguments)

    assert result.status == 0
    *_, header, whole, beam, averaging, dropout, output = result.out.splitlines()
    assert header.split() == ["validation", "BLEU", "mean", "difference", "of", "each", "seed"]
    assert output == str(figure)
    assert figure.read_bytes().startswith(b"\x89PNG")
    average = float(whole.split()[2])
    for row, name in (
        (averaging, "without averaging"),
        (beam, "without beam search"),
        (dropout, "without dropout"),
    ):
        assert row.startswith(name)
        mean, difference, *seeds = map(float, row.removeprefix(name).split())
        assert mean == pytest.approx(sum(seeds) / 2, abs=0.011)
        assert difference == pytest.approx(mean - average, abs=0.011)
    runs = {"all-ingredients-0", "all-ingredients-1", "without-dropout-0", "without-dropout-1"}
    assert {path.name for path in (tmp_path / "ablation").iterdir()} == runs
    for name in runs:
        config = json.loads((tmp_path / "ablation" / name / "config.json").read_text())
        assert config["model"]["dropout"] == (0.1 if name.startswith("without-dropout") else 0.3)
        assert config["seed"] == int(name[-1])

    again = call("ablate_translator", *arguments, "--repeats", 1)
    assert again.out.count("going on after epoch 2") == 2
    assert "epoch 1/2" not in again.out
    *_, whole_again, _, _, _, _ = again.out.splitlines()
    assert whole_again.split()[-1] == whole.split()[-2]  # of the first seed


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
