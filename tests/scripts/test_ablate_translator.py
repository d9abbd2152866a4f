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
    *_, header, whole, averaging, beam, dropout, output = result.out.splitlines()
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

    again = call("ablate_translator", *arguments)
    assert again.out.count("going on after epoch 2") == 4
    assert again.out.splitlines()[-6:] == result.out.splitlines()[-6:]


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
