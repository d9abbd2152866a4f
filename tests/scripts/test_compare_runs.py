import json

import pytest

from scripts.compare_runs import marks_within
from tf_models.training.run_comparison import Frontier
from tf_models.training.run_directory import FORMAT

HEADER = "epoch,loss,val_loss,val_bleu,seconds\n"


@pytest.fixture
def runs(tmp_path):
    """Two runs: one of two minutes, one that got worse in its second epoch."""
    rows = {
        "slow": "1,3,3.5,10.5,120\n",
        "fast": "1,3,3.25,20,30\n2,2,3.5,15,30\n3,1,2,40.25,60\n",
    }
    for name, text in rows.items():
        folder = tmp_path / name
        folder.mkdir()
        (folder / "config.json").write_text(json.dumps({"format": FORMAT, "kind": "translator"}))
        (folder / "history.csv").write_text(HEADER + text)
    return [tmp_path / name for name in rows]


def test_table_and_figure(runs, call, tmp_path):
    figure = tmp_path / "frontier.png"
    result = call("compare_runs", "--run-dir", *runs, "--minutes", 1, 2, 5, 0.1, "--output", figure)

    assert result.status == 0
    assert [line.split() for line in result.out.splitlines()] == [
        ["val_bleu", "0.1", "min", "1", "min", "2", "min", "5", "min"],
        ["slow", "-", "-", "10.5", "-"],
        ["fast", "-", "20", "40.25", "-"],
        [str(figure)],
    ]
    assert figure.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("minutes", "marks"), [([5, 2, 1], [1, 2]), ([10, 20], []), ([1, 3, 0.1], [1, 3])]
)
def test_the_axis_is_marked_where_the_runs_are(minutes, marks):
    runs = {"slow": Frontier([2.0], [10.5]), "fast": Frontier([0.5, 1.0, 2.5], [20, 20, 40])}
    assert marks_within(runs, minutes) == marks


def test_a_metric_that_began_later(runs, call):
    """The second run had no BLEU in its first epoch; its minutes count all the same."""
    file = runs[1] / "history.csv"
    file.write_text(file.read_text().replace("3.25,20,", "3.25,nan,"))
    result = call("compare_runs", "--run-dir", runs[1], "--minutes", 0.5, 1, 2)

    assert result.out.splitlines()[1].split() == ["fast", "-", "15", "40.25"]


def test_less_loss_is_better(runs, call):
    result = call(
        "compare_runs", "--run-dir", *runs, "--label", "one", "two", "--metric", "val_loss",
        "--minutes", 1,
    )  # fmt: skip

    assert [line.split() for line in result.out.splitlines()][1:] == [["one", "-"], ["two", "3.25"]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--label", "one"], "--label must name each run; received 1 for 2 runs"),
        (["--label", "one", "one"], "--label must give different names; received one, one"),
        (["--minutes", "0"], "--minutes must be numbers above 0; received 0"),
        (["--minutes", "nan"], "--minutes must be numbers above 0; received nan"),
        (["--metric", "val_accuracy"], "has no val_accuracy; it has val_bleu, val_loss"),
        (["--output", "figure.jpg"], "saved as .png, .pdf or .svg; received '.jpg'"),
    ],
)
def test_options_that_make_no_sense(runs, call, arguments, message):
    result = call("compare_runs", "--run-dir", *runs, *arguments)

    assert message in result.complaint
    assert result.out == ""


def test_what_is_no_run(runs, call, tmp_path):
    assert "no run directory" in call("compare_runs", "--run-dir", tmp_path).complaint
    (runs[0] / "history.csv").unlink()
    result = call("compare_runs", "--run-dir", runs[0])
    assert "it has no finished epoch" in result.complaint
