from tests.support.commands import TINY

MODELS = ["rnn", "rnn-attention"]
OPTIONS = ["--units", 8, "--embedding-dim", 8, *TINY[8:]]  # all but a Transformer's sizes


def test_two_side_by_side(table, call, tmp_path):
    folder = tmp_path / "comparison"
    compare = [
        *("compare_translators", "--corpus", table, "--epochs", 1, "--run-dir", folder),
        *(
            "--models",
            *MODELS,
            *OPTIONS,
            "--sentence",
            "The dog sees the fox.",
            "",
        ),
    ]
    first = call(*compare)
    assert first.status == 0
    assert {path.name for path in folder.iterdir()} == {*MODELS, "figures"}
    drawn = {path.stem for path in (folder / "figures").iterdir()}
    assert {"bleu-by-length", "bleu-by-minutes"} <= drawn
    header = next(line for line in first.out.splitlines() if line.split() == MODELS)
    figures = first.out[first.out.index(header) :]
    again = call(*compare)
    assert again.status == 0
    assert "epoch 1/1" not in again.out  # trained already
    assert again.out.endswith(figures)


def test_what_cannot_be_compared(call, tmp_path, run_dir):
    compare = ["compare_translators", "--run-dir", tmp_path / "c"]
    assert "needs two or more" in call(*compare, "--models", "rnn").complaint
    assert "received 'gru'" in call(*compare, "--models", "rnn", "gru").complaint
    recurrent = ["--models", *MODELS, "--num-layers", 2]
    assert "has no --num-layers" in call(*compare, *recurrent).complaint
    assert "holds a run" in call("compare_translators", "--run-dir", run_dir).complaint
    assert not (tmp_path / "c").exists()
