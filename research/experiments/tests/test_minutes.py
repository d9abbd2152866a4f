import json

import pytest

from tf_models.training.run_directory import FORMAT

HEADER = "epoch,loss,val_loss,val_bleu,seconds\n"


@pytest.fixture
def runs(tmp_path):
    """Two runs: one of two minutes, one that got worse in its second epoch."""
    rows = {"slow": "1,3,3.5,10.5,120\n", "fast": "1,3,3.25,20,30\n2,2,3.5,15,30\n3,1,2,40.25,60\n"}
    for name, text in rows.items():
        folder = tmp_path / name
        folder.mkdir()
        (folder / "config.json").write_text(json.dumps({"format": FORMAT, "kind": "translator"}))
        (folder / "history.csv").write_text(HEADER + text)
    return [tmp_path / name for name in rows]


@pytest.fixture
def minutes(experiment):
    return lambda *words: experiment("minutes", "--run-dir", *words)


def rows(result):
    return [line.split() for line in result.out.splitlines()[2:]]


def test_table_and_figure(runs, minutes, tmp_path):
    figure = tmp_path / "minutes.png"
    result = minutes(*runs, "--at", "1,2,5,0.1", "--output", figure)

    assert result.status == 0
    assert rows(result) == [
        ["slow", "fast"],
        ["0.1", "min", "-", "-"],
        ["1", "min", "-", "20"],
        ["2", "min", "10.5", "40.25"],
        ["5", "min", "-", "-"],
        [str(figure)],
    ]
    assert figure.read_bytes().startswith(b"\x89PNG")


def test_a_metric_that_began_later(runs, minutes):
    """The second run had no BLEU in its first epoch; its minutes count all the same."""
    file = runs[1] / "history.csv"
    file.write_text(file.read_text().replace("3.25,20,", "3.25,nan,"))
    assert [row[-1] for row in rows(minutes(runs[1], "--at", "0.5,1,2"))[1:]] == [
        "-",
        "15",
        "40.25",
    ]


def test_less_loss_is_better(runs, minutes):
    labels = ["--label", "one", "two", "--metric", "val_loss"]
    assert rows(minutes(*runs, *labels, "--at", "1"))[1:] == [["one", "-"], ["two", "3.25"]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--label", "one"], "--label must name each run; received 1 for 2 runs"),
        (["--label", "one", "one"], "--label must give different names; received one, one"),
        (["--at", "0"], "must be numbers above 0; received 0"),
        (["--at", "nan"], "must be numbers above 0; received nan"),
        (["--metric", "val_accuracy"], "has no val_accuracy; it has val_bleu, val_loss"),
        (["--output", "figure.jpg"], "saved as .png, .pdf or .svg; received '.jpg'"),
        (["--seeds", "1,2"], "leave --seeds out"),
    ],
)
def test_options_that_make_no_sense(runs, minutes, arguments, message):
    result = minutes(*runs, *arguments)
    assert message in result.complaint
    assert result.out == ""


def test_what_is_no_run(runs, minutes, tmp_path):
    assert "no run directory" in minutes(tmp_path).complaint
    (runs[0] / "history.csv").unlink()
    assert "it has no finished epoch" in minutes(runs[0]).complaint
