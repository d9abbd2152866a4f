import pytest

from scripts import check_claims
from tests.support.commands import TINY
from tf_models.tasks.translation.architectures import ARCHITECTURES


def test_a_row_for_each_trial(table, call, tmp_path):
    folder = tmp_path / "claims"
    command = [
        *("check_claims", "--corpus", table, *TINY, "--preset", "article", "--epochs", 1),
        *("--claims", "scaling", "positions", "--run-dir", folder),
    ]
    known = dict(ARCHITECTURES)
    result = call(*command)

    assert result.status == 0
    *_, head, whole, scaling, positions = result.out.splitlines()
    assert head.split()[:4] == ["minutes", "exact,", "%", "BLEU"]
    for line, name in (
        (whole, "as it is"),
        (scaling, "scores not divided by sqrt(d_k)"),
        (positions, "without positions"),
    ):
        assert line.startswith(name)
    runs = {"as-it-is-0", "scores-not-divided-by-sqrt-d-k-0", "without-positions-0"}
    assert {path.name for path in folder.iterdir()} == runs
    assert known == ARCHITECTURES
    again = call(*command)
    assert "epoch 1/1" not in again.out  # trained already
    assert again.out.endswith("\n".join([head, whole, scaling, positions]) + "\n")


def test_means_of_the_seeds():
    rows = {
        "as it is": [{"BLEU": 30.0, "longer": None}, {"BLEU": 33.0, "longer": 1.0}],
        "1 head": [{"BLEU": 2.0, "longer": 3.0}, {"BLEU": 4.0, "longer": 3.0}],
    }
    head, whole, one = check_claims.table(rows)
    assert head.split() == ["BLEU", "longer"]
    assert whole.split() == ["as", "it", "is", "31.5", "-"]
    assert one.split() == ["1", "head", "3.0", "3.0"]
    assert len(head) == len(whole) == len(one)


def test_dot_products_need_no_training(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = call("check_claims", "--dot-products")
    assert result.status == 0
    rows = [line.split() for line in result.out.splitlines()[3:]]
    assert [int(row[0]) for row in rows] == list(check_claims.DEPTHS)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--claims", "salt"], "a claim must be one of scaling, "),
        (["--repeats", 0], "--repeats must be at least 1; received 0"),
        (["--model", "rnn"], "--model must be transformer; received rnn"),
    ],
)
def test_bad_options(options, complaint, table, call, tmp_path):
    result = call("check_claims", "--corpus", table, "--run-dir", tmp_path / "r", *options)
    assert complaint in result.complaint
    assert not (tmp_path / "r").exists()
